/**
 * The document's link. Lexical's own node allows five schemes and turns every other address into
 * about:blank; this one applies the same allow-list as storage.
 */
import { LinkNode } from "@lexical/link";
import { $create } from "lexical";
import { LINK_ATTRIBUTES } from "../html/exportHtml";
import { parseLinkUrl } from "../html/urls";

/** Replaces `LinkNode` everywhere, also in old documents and in clipboards. */
export class SafeLinkNode extends LinkNode {
  override $config() {
    return this.config("safe-link", { extends: LinkNode });
  }

  /** Returns the `href` shown on screen; a refused address links nowhere. */
  override sanitizeUrl(url: string): string {
    return parseLinkUrl(url) ?? "about:blank";
  }
}

/** Creates a link to an address that `parseLinkUrl` returned. */
export function $createSafeLinkNode(url: string): SafeLinkNode {
  return $create(SafeLinkNode)
    .setURL(url)
    .setTarget(LINK_ATTRIBUTES.target)
    .setRel(LINK_ATTRIBUTES.rel);
}
