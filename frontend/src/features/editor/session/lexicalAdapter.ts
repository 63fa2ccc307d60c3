import {
  $addUpdateTag,
  $getRoot,
  $getSelection,
  $setSelection,
  type BaseSelection,
  HISTORY_PUSH_TAG,
  type LexicalEditor,
  SKIP_DOM_SELECTION_TAG,
} from "lexical";
import { $exportHtml } from "../html/exportHtml";
import { $importHtml } from "../html/importHtml";
import type { DocumentAdapter } from "./documentAdapter";

/** Adapter for the rich text editor. */
export const lexicalAdapter = (editor: LexicalEditor): DocumentAdapter => ({
  text: () => editor.read($exportHtml),
  content: (html) => html,
  // One undo step.
  replace: (html) =>
    editor.update(
      () => {
        $addUpdateTag(HISTORY_PUSH_TAG);
        $getRoot()
          .clear()
          .append(...$importHtml(html, "stored"));
      },
      { discrete: true },
    ),
  ...locking(editor),
  onChange: (listener) =>
    editor.registerUpdateListener(({ dirtyElements, dirtyLeaves }) => {
      if (dirtyElements.size > 0 || dirtyLeaves.size > 0) listener();
    }),
});

/** A read-only editor shows no selection; the caret returns once it can be edited. */
function locking(editor: LexicalEditor): Pick<DocumentAdapter, "lock" | "unlock"> {
  let selection: BaseSelection | null = null;
  return {
    lock: () => {
      // At once and first: Lexical does not touch the browser's selection of what is read only.
      editor.update(
        () => {
          selection = $getSelection()?.clone() ?? null;
          $setSelection(null);
        },
        { discrete: true },
      );
      editor.setEditable(false);
    },
    unlock: () => {
      editor.setEditable(true);
      // Focus stays where it is, in a dialog or at a button.
      editor.update(() => $setSelection(selection), { tag: SKIP_DOM_SELECTION_TAG });
    },
  };
}
