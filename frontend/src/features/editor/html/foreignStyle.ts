/**
 * The effect of an element's `style` on the text inside it. Word processors and email clients
 * express bold as a font weight, and normal weight inside a `<b>` around their whole clipboard.
 */
import { IS_BOLD, IS_ITALIC, IS_STRIKETHROUGH, IS_SUBSCRIPT, IS_SUPERSCRIPT } from "lexical";
import { HIGHLIGHT_COLORS, TEXT_COLORS } from "../colors";
import type { HtmlOrigin } from "./htmlOrigin";
import { PLAIN_STYLE, parseTextStyle, type TextStyle } from "./textStyle";

/** The effect of one element on its text. */
interface ElementStyle {
  /** Format bits to add, and to remove from those around the element. */
  readonly set: number;
  readonly clear: number;
  readonly style: TextStyle;
  readonly keepSpace: boolean;
}

const NEUTRAL: ElementStyle = { set: 0, clear: 0, style: PLAIN_STYLE, keepSpace: false };
const TEXT_PALETTE: ReadonlySet<string> = new Set(TEXT_COLORS.map(({ value }) => value));
const HIGHLIGHT_PALETTE: ReadonlySet<string> = new Set(HIGHLIGHT_COLORS.map(({ value }) => value));

/** Reads an element's inline style. Class names and style sheets never count. */
export function readElementStyle(element: HTMLElement, origin: HtmlOrigin): ElementStyle {
  const css = element.getAttribute("style");
  if (css === null) return NEUTRAL;
  if (origin === "stored") return { ...NEUTRAL, style: parseTextStyle(css) };
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
      (fontStyle === "normal" ? IS_ITALIC : 0),
    style: paletteOnly(parseTextStyle(css)),
    keepSpace: /^(?:pre|pre-wrap|break-spaces)$/.test(whiteSpace),
  };
}

/** Whether a clipboard element was invisible at its source. */
export function isHidden(element: HTMLElement): boolean {
  const css = element.getAttribute("style") ?? "";
  return (
    element.hasAttribute("hidden") ||
    /display:\s*none|mso-hide:\s*all|mso-list:\s*ignore/i.test(css)
  );
}

/** Keeps only colours that can be chosen here: foreign black would be invisible on a dark page. */
function paletteOnly({ color, background }: TextStyle): TextStyle {
  return {
    ...(color !== undefined && TEXT_PALETTE.has(color) ? { color } : {}),
    ...(background !== undefined && HIGHLIGHT_PALETTE.has(background) ? { background } : {}),
  };
}
