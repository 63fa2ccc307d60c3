/** Hints under the headings of the template: shown while the line is empty, never part of the text. */
import { $isHeadingNode, HeadingNode } from "@lexical/rich-text";
import {
  $getRoot,
  $isElementNode,
  $isParagraphNode,
  defineExtension,
  type LexicalEditor,
  mergeRegister,
  type NodeKey,
} from "lexical";
import { TEMPLATE_HINTS } from "../template";

/** Attribute that the style sheet renders. */
const ATTRIBUTE = "data-hint";

/** Sets the hint on the empty line under each heading of the template. */
export const HintsExtension = defineExtension({
  name: "ideavault/Hints",
  register: (editor) => {
    let marked = new Map<NodeKey, string>();
    const update = () => {
      const next = editor.isEditable() ? editor.read($findHints) : new Map<NodeKey, string>();
      for (const key of marked.keys()) {
        if (!next.has(key)) editor.getElementByKey(key)?.removeAttribute(ATTRIBUTE);
      }
      for (const [key, hint] of next) mark(editor, key, hint);
      marked = next;
    };
    return mergeRegister(
      // Initially, when the document appears on the page.
      editor.registerMutationListener(HeadingNode, update, { skipInitialization: false }),
      editor.registerUpdateListener(({ dirtyElements }) => {
        if (dirtyElements.size > 0) update();
      }),
    );
  },
});

function mark(editor: LexicalEditor, key: NodeKey, hint: string): void {
  const element = editor.getElementByKey(key);
  if (element?.getAttribute(ATTRIBUTE) !== hint) element?.setAttribute(ATTRIBUTE, hint);
}

function $findHints(): Map<NodeKey, string> {
  const hints = new Map<NodeKey, string>();
  for (const heading of $getRoot().getChildren()) {
    if (!$isHeadingNode(heading)) continue;
    const hint = TEMPLATE_HINTS.get(heading.getTextContent().trim());
    const line = heading.getNextSibling();
    if (hint !== undefined && $isParagraphNode(line) && $isElementNode(line) && line.isEmpty()) {
      hints.set(line.getKey(), hint);
    }
  }
  return hints;
}
