/** Adding, changing and removing links. */
import { $isLinkNode, $toggleLink } from "@lexical/link";
import {
  $createTextNode,
  $findMatchingParent,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  defineExtension,
  type LexicalCommand,
} from "lexical";
import { LINK_ATTRIBUTES } from "../html/exportHtml";
import { parseLinkUrl } from "../html/urls";
import { $createSafeLinkNode } from "../nodes/safeLinkNode";

/**
 * Links the selection to an address as typed. An empty address removes the link
 * (docs/rules.md#link-schemes). Without a caret, the link is added at the end. An invalid address, or
 * a selection that is no text, changes nothing and the command returns `false`.
 */
export const SET_LINK_COMMAND: LexicalCommand<string> = createCommand("SET_LINK");

/** Handles `SET_LINK_COMMAND`. */
export const LinksExtension = defineExtension({
  name: "ideavault/Links",
  register: (editor) => editor.registerCommand(SET_LINK_COMMAND, $setLink, COMMAND_PRIORITY_EDITOR),
});

function $setLink(input: string): boolean {
  const selection = $getSelection() ?? $getRoot().selectEnd();
  if (!$isRangeSelection(selection)) return false;
  if (input.trim() === "") {
    $toggleLink(null);
    return true;
  }
  const url = parseLinkUrl(input);
  if (url === null) return false;
  const around = $findMatchingParent(selection.anchor.getNode(), $isLinkNode);
  if (selection.isCollapsed() && around !== null) around.setURL(url);
  // Without a selection, the address itself becomes the text.
  else if (selection.isCollapsed()) {
    const text = $createTextNode(input.trim()).setFormat(selection.format);
    selection.insertNodes([$createSafeLinkNode(url).append(text)]);
  } else $toggleLink(url, { ...LINK_ATTRIBUTES });
  return true;
}
