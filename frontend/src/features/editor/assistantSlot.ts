import { type ComponentType, createContext } from "react";

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

/** The writing assistant as the editor knows it: a button that opens it. */
export type Assistant = ComponentType<{ document: AssistantDocument }>;

/** The place for the assistant, which is a feature of its own and put in by the route. */
export const AssistantSlot = createContext<Assistant | null>(null);
