/** Edits of the table at the selection. */
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
  TableCellHeaderStates,
  type TableNode,
  type TableRowNode,
} from "@lexical/table";
import {
  $createParagraphNode,
  $getEditor,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  $setSelection,
} from "lexical";

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

/** A new table: a header row and two more. */
const NEW_TABLE = { rows: "3", columns: "3", includeHeaders: { rows: true, columns: false } };

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

/** Makes an edit; returns `false` when the selection is in no table. */
export function $editTable(edit: TableEdit): boolean {
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
