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
  type RangeSelection,
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
  const selection = $getSelection();
  if (selection !== null && !$isRangeSelection(selection)) return false;
  if (input.trim() === "") {
    if (selection !== null) $toggleLink(null);
    return true;
  }
  const url = parseLinkUrl(input);
  if (url === null) return false;
  if (selection === null) {
    $insertLink(url, input, $selectBehind());
    return true;
  }
  const around = $findMatchingParent(selection.anchor.getNode(), $isLinkNode);
  if (selection.isCollapsed() && around !== null) around.setURL(url);
  else if (selection.isCollapsed()) $insertLink(url, input, selection);
  else $toggleLink(url, { ...LINK_ATTRIBUTES });
  return true;
}

/** Inserts a link whose text is its address. */
function $insertLink(url: string, input: string, place: RangeSelection): void {
  const text = $createTextNode(input.trim()).setFormat(place.format);
  place.insertNodes([$createSafeLinkNode(url).append(text)]);
}

/** Selects the end of the text, and never within a link that the text ends with. */
function $selectBehind(): RangeSelection {
  const end = $getRoot().selectEnd();
  const around = $findMatchingParent(end.anchor.getNode(), $isLinkNode);
  if (around === null) return end;
  const space = $createTextNode(" ");
  around.insertAfter(space);
  return space.selectEnd();
}
