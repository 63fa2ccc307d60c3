/**
 * Tables in the stored form and back. A cell holds blocks like the document itself, but no further
 * table; its header state, its spans and nothing else of its look are stored.
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

/** How many rows or columns one cell may take: the sanitizer's limit as well. */
export const MAX_SPAN = 99;
/** Beyond that, a table would make the editor stall; a spreadsheet is no document. */
export const MAX_CELLS = 2_000;

/** The complete element, or an empty string for a table without cells. */
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

/** Whether an element should become a table: one that only lays out a page should not. */
export function isDataTable(element: HTMLTableElement, isForeign: boolean): boolean {
  const cells = cellCount(element);
  return cells > (isForeign ? 1 : 0) && cells <= MAX_CELLS;
}

/** How many cells a table has. */
export function cellCount(element: HTMLTableElement): number {
  return rowsOf(element).reduce((sum, row) => sum + row.cells.length, 0);
}

/** The table node for an element; `$importCell` returns the blocks of a cell. */
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
      // 0 means all rows that are left.
      const rowsLeft = rows.length - index;
      node.setRowSpan(Math.min(cell.rowSpan || rowsLeft, rowsLeft, MAX_SPAN));
      const blocks = $importCell(cell);
      rowNode.append(node.append(...(blocks.length > 0 ? blocks : [$createParagraphNode()])));
    }
    table.append(rowNode);
  }
  return table;
}

/** A row without cells could neither be shown nor stored. */
function rowsOf(element: HTMLTableElement): HTMLTableRowElement[] {
  return [...element.rows].filter((row) => row.cells.length > 0);
}

function isHeaderCell(cell: HTMLTableCellElement): boolean {
  return cell.tagName === "TH";
}
