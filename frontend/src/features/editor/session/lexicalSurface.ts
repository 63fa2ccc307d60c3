import { $addUpdateTag, $getRoot, HISTORY_PUSH_TAG, type LexicalEditor } from "lexical";
import { $exportHtml } from "../html/exportHtml";
import { $importHtml } from "../html/importHtml";
import type { Surface } from "./surface";

/** Rich text in a live editor. */
export const lexicalSurface = (editor: LexicalEditor): Surface => ({
  text: () => editor.read($exportHtml),
  content: (html) => html,
  // One step, that undo takes back.
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
