/**
 * Export and import of tables. A cell contains blocks like the document itself, but no nested
 * table; header state and spans are stored, no other formatting.
 */
import {
  $createTableCellNode,
  $createTableNode,
  $createTableRowNode,
  $isTableCellNode,
  $isTableRowNode,
  TableCellHeaderStates as Header,
  type TableCellNode,
  type TableNode,
  type TableRowNode,
} from "@lexical/table";
import { $createParagraphNode, type LexicalNode } from "lexical";

/** Most rows or columns that one cell may span: the sanitizer's limit as well. */
export const MAX_SPAN = 99;
/** Most cells of a pasted table; larger ones would make the editor unresponsive. */
export const MAX_CELLS = 2_000;

/** Returns the complete element, or an empty string for a table without cells. */
export function $exportTable(
  table: TableNode,
  $exportBlock: (block: LexicalNode) => string,
): string {
  const rows = table
    .getChildren()
    .filter($isTableRowNode)
    .map($cellsOf)
    .filter((cells) => cells.length > 0);
  if (rows.length === 0) return "";
  const lines = rows.map((cells, index) => {
    const rowsLeft = rows.length - index;
    return `<tr>${cells.map((cell) => $exportCell(cell, rowsLeft, $exportBlock)).join("")}</tr>`;
  });
  return `<table><tbody>${lines.join("")}</tbody></table>`;
}

function $cellsOf(row: TableRowNode): TableCellNode[] {
  return row.getChildren().filter($isTableCellNode);
}

function $exportCell(
  cell: TableCellNode,
  rowsLeft: number,
  $exportBlock: (block: LexicalNode) => string,
): string {
  const tag = cell.hasHeader() ? "th" : "td";
  const colSpan = span("colspan", cell.getColSpan());
  const rowSpan = span("rowspan", Math.min(cell.getRowSpan(), rowsLeft));
  const body = cell.getChildren().map($exportBlock).join("") || "<p><br></p>";
  return `<${tag}${colSpan}${rowSpan}>${body}</${tag}>`;
}

function span(name: string, value: number): string {
  const limited = Math.min(value, MAX_SPAN);
  return limited > 1 ? ` ${name}="${limited}"` : "";
}

/**
 * Whether an element should become a table: a layout table should not. A stored one always does,
 * since it was one when it was saved.
 */
export function isDataTable(element: HTMLTableElement, isForeign: boolean): boolean {
  const cells = cellCount(element);
  if (!isForeign) return cells > 0;
  return cells === 1 ? isBox(element) : cells > 1 && cells <= MAX_CELLS;
}

/** Whether a table of one cell is more than layout: a frame around words, and no tables. */
function isBox(element: HTMLTableElement): boolean {
  const cell = element.querySelector("td, th");
  const border = /border[^:;]*:[^;]*\b(?:solid|double|dashed|dotted|groove|ridge|inset|outset)\b/i;
  const style = element.getAttribute("style") ?? "";
  const isFramed =
    border.test(cell?.getAttribute("style") ?? "") ||
    border.test(style) ||
    (Number(element.getAttribute("border")) > 0 && !/border:\s*none/i.test(style));
  return isFramed && element.querySelector("table") === null;
}

/** Returns the number of cells of a table. */
export function cellCount(element: HTMLTableElement): number {
  return rowsOf(element).reduce((sum, row) => sum + row.cells.length, 0);
}

/** Creates the table node for an element; `$importCell` returns the blocks of a cell. */
export function $importTable(
  element: HTMLTableElement,
  $importCell: (cell: HTMLTableCellElement) => LexicalNode[],
): TableNode {
  const rows = rowsOf(element);
  const table = $createTableNode();
  for (const [index, row] of rows.entries()) {
    const cells = [...row.cells];
    const isHeaderRow = cells.every(isHeaderCell);
    const rowNode = $createTableRowNode();
    for (const cell of cells) {
      const header = isHeaderCell(cell) ? (isHeaderRow ? Header.ROW : Header.COLUMN) : 0;
      const node = $createTableCellNode(header, Math.min(cell.colSpan, MAX_SPAN));
      // 0 means all remaining rows.
      const rowsLeft = rows.length - index;
      node.setRowSpan(Math.min(cell.rowSpan || rowsLeft, rowsLeft, MAX_SPAN));
      const blocks = $importCell(cell);
      rowNode.append(node.append(...(blocks.length > 0 ? blocks : [$createParagraphNode()])));
    }
    table.append(rowNode);
  }
  return table;
}

/** Returns the rows that have cells; others could neither be shown nor stored. */
function rowsOf(element: HTMLTableElement): HTMLTableRowElement[] {
  return [...element.rows].filter((row) => row.cells.length > 0);
}

function isHeaderCell(cell: HTMLTableCellElement): boolean {
  return cell.tagName === "TH";
}
