/**
 * Restricts the live document to what can be stored. Lexical's packages allow more (underline,
 * alignment, six heading levels, check lists), which would show on screen and be gone after the
 * next load.
 */
import { $isCodeNode, CodeExtension, CodeNode } from "@lexical/code-core";
import { LinkExtension, LinkNode } from "@lexical/link";
import { $isListItemNode, ListExtension, ListItemNode, ListNode } from "@lexical/list";
import { HeadingNode, QuoteNode, RichTextExtension } from "@lexical/rich-text";
import {
  COMMAND_PRIORITY_CRITICAL,
  configExtension,
  defineExtension,
  type ElementNode,
  FORMAT_ELEMENT_COMMAND,
  FORMAT_TEXT_COMMAND,
  IS_HIGHLIGHT,
  type LexicalEditor,
  mergeRegister,
  ParagraphNode,
  TabNode,
  TextNode,
} from "lexical";
import { LINK_ATTRIBUTES } from "../html/exportHtml";
import { storableFormat } from "../html/textFormat";
import { formatTextStyle, parseTextStyle } from "../html/textStyle";
import { hasScheme, parseLinkUrl } from "../html/urls";
import { SafeLinkNode } from "../nodes/safeLinkNode";

const STORABLE_FORMATS: ReadonlySet<string> = new Set([
  "bold",
  "italic",
  "strikethrough",
  "code",
  "highlight",
  "subscript",
  "superscript",
]);

/** Nodes of the document language and the transforms that enforce it. Has no user interface. */
export const DocumentSchemaExtension = defineExtension({
  name: "ideavault/DocumentSchema",
  dependencies: [
    RichTextExtension,
    ListExtension,
    CodeExtension,
    configExtension(LinkExtension, { attributes: { ...LINK_ATTRIBUTES }, validateUrl: hasScheme }),
  ],
  nodes: () => [
    SafeLinkNode,
    {
      replace: LinkNode,
      with: (link: LinkNode) =>
        new SafeLinkNode(link.getURL(), { rel: link.getRel(), target: link.getTarget() }),
      withKlass: SafeLinkNode,
    },
  ],
  register: (editor) => mergeRegister(registerTransforms(editor), registerRefusals(editor)),
});

function registerTransforms(editor: LexicalEditor): () => void {
  return mergeRegister(
    editor.registerNodeTransform(TextNode, $normalizeText),
    editor.registerNodeTransform(TabNode, $normalizeText),
    editor.registerNodeTransform(SafeLinkNode, $normalizeLink),
    editor.registerNodeTransform(HeadingNode, (node) => {
      if (!["h1", "h2", "h3"].includes(node.getTag())) node.setTag("h3");
    }),
    editor.registerNodeTransform(ListNode, (node) => {
      if (node.getListType() === "check") node.setListType("bullet");
    }),
    ...[ParagraphNode, HeadingNode, QuoteNode, CodeNode, ListNode, ListItemNode].map((klass) =>
      editor.registerNodeTransform(klass, $removeLayout),
    ),
  );
}

/** Disables commands whose effect could not be stored. */
function registerRefusals(editor: LexicalEditor): () => void {
  return mergeRegister(
    editor.registerCommand(
      FORMAT_TEXT_COMMAND,
      (format) => !STORABLE_FORMATS.has(format),
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(FORMAT_ELEMENT_COMMAND, () => true, COMMAND_PRIORITY_CRITICAL),
  );
}

function $normalizeText(node: TextNode): void {
  const isCode = $isCodeNode(node.getParent());
  const parsed = isCode ? {} : parseTextStyle(node.getStyle());
  const highlight = parsed.background === undefined ? 0 : IS_HIGHLIGHT;
  const format = isCode ? 0 : storableFormat(node.getFormat()) | highlight;
  const style = formatTextStyle(parsed);
  if (node.getFormat() !== format) node.setFormat(format);
  if (node.getStyle() !== style) node.setStyle(style);
}

function $normalizeLink(node: SafeLinkNode): void {
  const url = parseLinkUrl(node.getURL());
  if (url === null) {
    for (const child of node.getChildren()) node.insertBefore(child);
    node.remove();
    return;
  }
  if (node.getURL() !== url) node.setURL(url);
  if (node.getTarget() !== LINK_ATTRIBUTES.target) node.setTarget(LINK_ATTRIBUTES.target);
  if (node.getRel() !== LINK_ATTRIBUTES.rel) node.setRel(LINK_ATTRIBUTES.rel);
  if (node.getTitle() !== null) node.setTitle(null);
}

function $removeLayout(node: ElementNode): void {
  if (node.getFormatType() !== "") node.setFormat("");
  if (node.getStyle() !== "") node.setStyle("");
  // A list item's indent is its nesting, which is stored.
  if (!$isListItemNode(node) && node.getIndent() !== 0) node.setIndent(0);
}
