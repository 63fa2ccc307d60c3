/**
 * Routes HTML from the clipboard and from drops through the document importer, so that a paste
 * can only ever add what could also be stored.
 */
import { $insertGeneratedNodes, ClipboardImportExtension } from "@lexical/clipboard";
import {
  $getEditor,
  $isParagraphNode,
  configExtension,
  defineExtension,
  type LexicalNode,
} from "lexical";
import { $importHtml } from "../html/importHtml";

/** Overrides Lexical's own text/html import. */
export const PasteExtension = defineExtension({
  name: "ideavault/Paste",
  dependencies: [
    configExtension(ClipboardImportExtension, {
      $importMimeType: {
        "text/html": [
          (html, selection) => {
            const nodes = $unwrapSingleLine($importHtml(html, "foreign"));
            // Nothing readable in the HTML: the plain text beside it may still hold something.
            if (nodes.length === 0) return false;
            $insertGeneratedNodes($getEditor(), nodes, selection);
            return true;
          },
        ],
      },
    }),
  ],
});

/** A copied phrase joins the block at the caret; only more than one line brings its own blocks. */
function $unwrapSingleLine(nodes: LexicalNode[]): LexicalNode[] {
  const [only] = nodes;
  return nodes.length === 1 && $isParagraphNode(only) ? only.getChildren() : nodes;
}
