/** The elements that an import knows, by their role. */
import type { HeadingTagType } from "@lexical/rich-text";

export const HEADINGS: Readonly<Record<string, HeadingTagType>> = {
  H1: "h1",
  H2: "h2",
  H3: "h3",
  H4: "h3",
  H5: "h3",
  H6: "h3",
};

const CONTAINER_TAGS =
  "ADDRESS ARTICLE ASIDE CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER " +
  "FORM HEADER LEGEND MAIN NAV SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR";
const LEAF_TAGS = "P H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE LI";
export const CONTAINERS = tagSet(CONTAINER_TAGS);
export const LEAVES = tagSet(LEAF_TAGS);
export const BLOCK_SELECTOR = [
  ...tagSet(`${CONTAINER_TAGS} ${LEAF_TAGS} UL OL HR IMG IFRAME`),
].join(",");
/** Elements whose text is not prose. */
export const SKIPPED = tagSet(
  "AUDIO BUTTON CANVAS DATALIST EMBED HEAD INPUT LINK MATH META NOSCRIPT OBJECT OPTION SCRIPT " +
    "SELECT STYLE SVG TEMPLATE TEXTAREA TITLE VIDEO",
);

function tagSet(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
