/** Tables: nodes, constraints of storage, and the command for `tableEdits`. */
import {
  registerTablePlugin,
  registerTableSelectionObserver,
  setScrollableTablesActive,
  TableCellNode,
  TableNode,
  TableRowNode,
} from "@lexical/table";
import {
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  defineExtension,
  type LexicalCommand,
  mergeRegister,
} from "lexical";
import { MAX_SPAN } from "../html/tableHtml";
import { $editTable, type TableEdit } from "./tableEdits";

/** Changes the table at the selection; returns `false` when there is none. */
export const EDIT_TABLE_COMMAND: LexicalCommand<TableEdit> = createCommand("EDIT_TABLE");

/** Handles `EDIT_TABLE_COMMAND` and keyboard and pointer events in tables. */
export const TablesExtension = defineExtension({
  name: "ideavault/Tables",
  nodes: () => [TableNode, TableRowNode, TableCellNode],
  register: (editor) => {
    setScrollableTablesActive(editor, true);
    return mergeRegister(
      registerTablePlugin(editor),
      registerTableSelectionObserver(editor),
      editor.registerNodeTransform(TableNode, $removeTableLayout),
      editor.registerNodeTransform(TableRowNode, $removeRowLayout),
      editor.registerNodeTransform(TableCellNode, $removeCellLayout),
      editor.registerCommand(EDIT_TABLE_COMMAND, $editTable, COMMAND_PRIORITY_EDITOR),
    );
  },
});

function $removeTableLayout(table: TableNode): void {
  if (table.getFormatType() !== "") table.setFormat("");
  if (table.getStyle() !== "") table.setStyle("");
  if (table.getColWidths() !== undefined) table.setColWidths(undefined);
  if (table.getRowStriping()) table.setRowStriping(false);
  if (table.getFrozenRows() !== 0) table.setFrozenRows(0);
  if (table.getFrozenColumns() !== 0) table.setFrozenColumns(0);
}

function $removeRowLayout(row: TableRowNode): void {
  if (row.getHeight() !== undefined) row.setHeight(undefined);
}

function $removeCellLayout(cell: TableCellNode): void {
  if (cell.getWidth() !== undefined) cell.setWidth(undefined);
  if (cell.getBackgroundColor() !== null) cell.setBackgroundColor(null);
  if (cell.getVerticalAlign() !== undefined) cell.setVerticalAlign(undefined);
  if (cell.getColSpan() > MAX_SPAN) cell.setColSpan(MAX_SPAN);
  if (cell.getRowSpan() > MAX_SPAN) cell.setRowSpan(MAX_SPAN);
}
