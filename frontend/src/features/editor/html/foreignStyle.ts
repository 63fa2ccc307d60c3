/**
 * The effect of an element's `style` on the text inside it. Word processors and email clients
 * express bold as a font weight, and normal weight inside a `<b>` around their whole clipboard.
 */
import {
  IS_BOLD,
  IS_HIGHLIGHT,
  IS_ITALIC,
  IS_STRIKETHROUGH,
  IS_SUBSCRIPT,
  IS_SUPERSCRIPT,
} from "lexical";
import { type ForeignColors, foreignColors } from "./foreignColors";
import type { HtmlOrigin } from "./htmlOrigin";
import { BLOCK_SELECTOR } from "./htmlTags";
import { mergeTextStyle, parseTextStyle, type TextStyle } from "./textStyle";

/** The effect of one element on its text. */
interface ElementStyle {
  /** Format bits to add, and to remove from those around the element. */
  readonly set: number;
  readonly clear: number;
  /** Returns the colours of the text within, from those around the element. */
  readonly styleWithin: (outer: TextStyle) => TextStyle;
  readonly keepSpace: boolean;
}

const NEUTRAL: ElementStyle = {
  set: 0,
  clear: 0,
  styleWithin: (outer) => outer,
  keepSpace: false,
};

/** Reads an element's inline style. Class names and style sheets never count. */
export function readElementStyle(element: HTMLElement, origin: HtmlOrigin): ElementStyle {
  const css = element.getAttribute("style");
  if (css === null && element.tagName !== "FONT") return NEUTRAL;
  if (origin === "stored") {
    const own = parseTextStyle(css ?? "");
    return { ...NEUTRAL, styleWithin: (outer) => mergeTextStyle(outer, own) };
  }
  const colors = foreignColors(element, !element.matches(BLOCK_SELECTOR));
  const { fontWeight, fontStyle, textDecoration, textDecorationLine, verticalAlign, whiteSpace } =
    element.style;
  const bold = /^(?:bold|bolder|[6-9]00)$/.test(fontWeight);
  const italic = /^(?:italic|oblique)/.test(fontStyle);
  const struck = `${textDecoration} ${textDecorationLine}`.includes("line-through");
  const isHeading = /^H[1-6]$/.test(element.tagName);
  return {
    set:
      (bold && !isHeading ? IS_BOLD : 0) |
      (italic ? IS_ITALIC : 0) |
      (struck ? IS_STRIKETHROUGH : 0) |
      (verticalAlign === "sub" ? IS_SUBSCRIPT : 0) |
      (verticalAlign === "super" ? IS_SUPERSCRIPT : 0),
    clear:
      (/^(?:normal|lighter|[1-5]00)$/.test(fontWeight) ? IS_BOLD : 0) |
      (fontStyle === "normal" ? IS_ITALIC : 0) |
      (colors.background === null ? IS_HIGHLIGHT : 0),
    styleWithin: (outer) => mixed(outer, colors, element.closest("a") !== null),
    keepSpace: keepsSpace(whiteSpace),
  };
}

const keepsSpace = (whiteSpace: string) => /^(?:pre|pre-wrap|break-spaces)$/.test(whiteSpace);

/** Whether an element holds lines of code, as editors copy them: in letters of one width. */
export function isCode(element: HTMLElement): boolean {
  const { whiteSpace, fontFamily } = element.style;
  return (
    keepsSpace(whiteSpace) &&
    /mono|courier|consolas|menlo/i.test(fontFamily) &&
    element.querySelector("a, img, li, table, h1, h2, h3, h4, h5, h6, p") === null
  );
}

/** Whether a clipboard element was invisible at its source. */
export function isHidden(element: HTMLElement): boolean {
  const css = element.getAttribute("style") ?? "";
  return (
    element.hasAttribute("hidden") ||
    /display:\s*none|mso-hide:\s*all|mso-list:\s*ignore/i.test(css)
  );
}

/** The own colours of links are those of their source. */
function mixed(outer: TextStyle, own: ForeignColors, isLink: boolean): TextStyle {
  const color = isLink || own.color === undefined ? outer.color : own.color;
  const background = own.background === undefined ? outer.background : own.background;
  return {
    ...(color ? { color } : {}),
    ...(background ? { background } : {}),
  };
}
