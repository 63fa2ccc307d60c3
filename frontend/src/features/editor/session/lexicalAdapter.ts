import { $addUpdateTag, $getRoot, HISTORY_PUSH_TAG, type LexicalEditor } from "lexical";
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
  lock: () => editor.setEditable(false),
  unlock: () => editor.setEditable(true),
  onChange: (listener) =>
    editor.registerUpdateListener(({ dirtyElements, dirtyLeaves }) => {
      if (dirtyElements.size > 0 || dirtyLeaves.size > 0) listener();
    }),
});
