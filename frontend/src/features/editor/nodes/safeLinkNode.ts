/**
 * The document's link. Lexical's own node knows five schemes and turns every other address into
 * about:blank; this one uses the rule that storage uses, so screen and storage agree.
 */
import { LinkNode } from "@lexical/link";
import { $create } from "lexical";
import { LINK_ATTRIBUTES } from "../html/exportHtml";
import { parseLinkUrl } from "../html/urls";

/** Replaces `LinkNode` everywhere, old documents and clipboards included. */
export class SafeLinkNode extends LinkNode {
  override $config() {
    return this.config("safe-link", { extends: LinkNode });
  }

  /** The `href` shown on screen; a refused address leads nowhere. */
  override sanitizeUrl(url: string): string {
    return parseLinkUrl(url) ?? "about:blank";
  }
}

/** A link to an address that `parseLinkUrl` returned. */
export function $createSafeLinkNode(url: string): SafeLinkNode {
  return $create(SafeLinkNode)
    .setURL(url)
    .setTarget(LINK_ATTRIBUTES.target)
    .setRel(LINK_ATTRIBUTES.rel);
}
