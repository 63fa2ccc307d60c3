/** The document that the assistant is asked about, as the editor offers it. */
export interface AssistantDocument {
  /** Whether answers can be put into it. */
  readonly canChange: boolean;
  /** The selected text; empty without a selection. */
  readSelection(): string;
  /** The whole text. */
  readText(): string;
  /** Adds HTML after the block of the caret, or at the end, in one step that undo takes back. */
  insert(html: string): void;
  /** Puts HTML in place of the selection, or of the whole text, in one such step. */
  replace(html: string): void;
}
