/** The document as the assistant can read and change it. */
export interface AssistantDocument {
  /** Whether responses can be inserted. */
  readonly canChange: boolean;
  /** Returns the selected text; empty without a selection. */
  readSelection(): string;
  /** Returns the whole text. */
  readText(): string;
  /** Inserts HTML after the block at the caret, or at the end, as one undo step. */
  insert(html: string): void;
  /** Replaces the selection, or the whole text, with HTML, as one undo step. */
  replace(html: string): void;
}
