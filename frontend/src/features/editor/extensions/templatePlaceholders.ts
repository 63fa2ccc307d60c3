/** Placeholders under the headings of the template: shown while the line is empty and can be edited, never part of the text. */
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
import { TEMPLATE_PLACEHOLDERS } from "../template";

/** Attribute that the style sheet renders. */
const ATTRIBUTE = "data-placeholder";

/** Sets the placeholder on the empty line under each heading of the template. */
export const TemplatePlaceholdersExtension = defineExtension({
  name: "ideavault/TemplatePlaceholders",
  register: (editor) => {
    let marked = new Map<NodeKey, string>();
    const update = () => {
      const next = editor.isEditable()
        ? editor.read($findPlaceholders)
        : new Map<NodeKey, string>();
      for (const key of marked.keys()) {
        if (!next.has(key)) editor.getElementByKey(key)?.removeAttribute(ATTRIBUTE);
      }
      for (const [key, placeholder] of next) mark(editor, key, placeholder);
      marked = next;
    };
    return mergeRegister(
      // Initially, when the document appears on the page.
      editor.registerMutationListener(HeadingNode, update, { skipInitialization: false }),
      editor.registerEditableListener(update),
      editor.registerUpdateListener(({ dirtyElements }) => {
        if (dirtyElements.size > 0) update();
      }),
    );
  },
});

function mark(editor: LexicalEditor, key: NodeKey, placeholder: string): void {
  const element = editor.getElementByKey(key);
  if (element?.getAttribute(ATTRIBUTE) !== placeholder)
    element?.setAttribute(ATTRIBUTE, placeholder);
}

function $findPlaceholders(): Map<NodeKey, string> {
  const placeholders = new Map<NodeKey, string>();
  for (const heading of $getRoot().getChildren()) {
    if (!$isHeadingNode(heading)) continue;
    const placeholder = TEMPLATE_PLACEHOLDERS.get(heading.getTextContent().trim());
    const line = heading.getNextSibling();
    if (
      placeholder !== undefined &&
      $isParagraphNode(line) &&
      $isElementNode(line) &&
      line.isEmpty()
    ) {
      placeholders.set(line.getKey(), placeholder);
    }
  }
  return placeholders;
}
