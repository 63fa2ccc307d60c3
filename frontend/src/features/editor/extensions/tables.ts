/** Tables: nodes, constraints of storage, and the command that inserts and changes them. */
import {
  $deleteTableColumnAtSelection,
  $deleteTableRowAtSelection,
  $findCellNode,
  $findTableNode,
  $insertTableColumnAtSelection,
  $insertTableRowAtSelection,
  $isTableCellNode,
  $isTableSelection,
  $mergeCells,
  $setTableRowIsHeader,
  $unmergeCell,
  INSERT_TABLE_COMMAND,
  registerTablePlugin,
  registerTableSelectionObserver,
  setScrollableTablesActive,
  TableCellHeaderStates,
  TableCellNode,
  TableNode,
  TableRowNode,
} from "@lexical/table";
import {
  $createParagraphNode,
  $getEditor,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  $setSelection,
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  defineExtension,
  type LexicalCommand,
  mergeRegister,
} from "lexical";
import { MAX_SPAN } from "../html/tableHtml";

/** Edits of a table. `insert` creates one at the caret. */
export type TableEdit =
  | "insert"
  | "rowAbove"
  | "rowBelow"
  | "columnLeft"
  | "columnRight"
  | "headerRow"
  | "mergeCells"
  | "splitCell"
  | "deleteRow"
  | "deleteColumn"
  | "deleteTable";

/** Edits that the selection in a table allows. */
export interface TablePlace {
  readonly canMerge: boolean;
  readonly canSplit: boolean;
}

/** Changes the table at the selection; returns `false` when there is none. */
export const EDIT_TABLE_COMMAND: LexicalCommand<TableEdit> = createCommand("EDIT_TABLE");

/** A new table: a header row and two more. */
const NEW_TABLE = { rows: "3", columns: "3", includeHeaders: { rows: true, columns: false } };

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

/** Returns the possible edits at the selection, or null outside tables. */
export function $tablePlace(): TablePlace | null {
  const selection = $getSelection();
  if ($isTableSelection(selection)) {
    return { canMerge: selection.getNodes().filter($isTableCellNode).length > 1, canSplit: false };
  }
  if (!$isRangeSelection(selection)) return null;
  const cell = $findCellNode(selection.anchor.getNode());
  return cell && { canMerge: false, canSplit: cell.getColSpan() > 1 || cell.getRowSpan() > 1 };
}

function $editTable(edit: TableEdit): boolean {
  const editor = $getEditor();
  if (!editor.isEditable()) return false;
  if (edit === "insert") return editor.dispatchCommand(INSERT_TABLE_COMMAND, NEW_TABLE);
  if ($tablePlace() === null) return false;
  $changeTable(edit);
  const root = $getRoot();
  if (root.isEmpty()) root.append($createParagraphNode()).selectStart();
  return true;
}

function $changeTable(edit: Exclude<TableEdit, "insert">): void {
  switch (edit) {
    case "rowAbove":
    case "rowBelow":
      $insertTableRowAtSelection(edit === "rowBelow");
      break;
    case "columnLeft":
    case "columnRight":
      $insertTableColumnAtSelection(edit === "columnRight");
      break;
    case "deleteRow":
      $deleteTableRowAtSelection();
      break;
    case "deleteColumn":
      $deleteTableColumnAtSelection();
      break;
    case "mergeCells":
      $mergeSelectedCells();
      break;
    case "splitCell":
      $unmergeCell();
      break;
    case "headerRow":
      $toggleHeaderRow();
      break;
    case "deleteTable":
      $deleteTable();
  }
}

function $mergeSelectedCells(): void {
  const selection = $getSelection();
  if (!$isTableSelection(selection)) return;
  const merged = $mergeCells(selection.getNodes().filter($isTableCellNode));
  merged?.selectEnd();
}

/** Returns the table around the selection. */
function $selectedTable(): TableNode | null {
  const selection = $getSelection();
  if (!$isRangeSelection(selection) && !$isTableSelection(selection)) return null;
  return $findTableNode(selection.anchor.getNode());
}

function $toggleHeaderRow(): void {
  const table = $selectedTable();
  const [first] = table?.getChildren<TableRowNode>() ?? [];
  if (table === null || first === undefined) return;
  const cells = first.getChildren().filter($isTableCellNode);
  const isHeader = cells.every((cell) => cell.hasHeaderState(TableCellHeaderStates.ROW));
  $setTableRowIsHeader(table, 0, !isHeader);
}

function $deleteTable(): void {
  const table = $selectedTable();
  if (table === null) return;
  $setSelection(null);
  table.selectNext();
  table.remove();
}

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
