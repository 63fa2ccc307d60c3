/**
 * Inline colours of a run of text. The document language has two properties, as six-digit
 * lower-case hex; every other style is dropped, whatever its source.
 */

/** Colours of one run; an absent one means the default. */
export interface TextStyle {
  readonly color?: string;
  readonly background?: string;
}

/** No colours. */
export const PLAIN_STYLE: TextStyle = {};

/** Reads the two allowed properties from any CSS declaration text. */
export function parseTextStyle(css: string): TextStyle {
  let color: string | undefined;
  let background: string | undefined;
  for (const declaration of css.split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = parseColor(declaration.slice(colon + 1));
    if (value === null) continue;
    if (property === "color") color = value;
    if (property === "background-color") background = value;
  }
  return withoutGaps(color, background);
}

/** Formats a style exactly as it is stored: no spaces, no final semicolon, colour first. */
export function formatTextStyle(style: TextStyle): string {
  const parts: string[] = [];
  if (style.color !== undefined) parts.push(`color:${style.color}`);
  if (style.background !== undefined) parts.push(`background-color:${style.background}`);
  return parts.join(";");
}

/** Merges the style of a nested element: its own colours override the outer ones. */
export function mergeTextStyle(outer: TextStyle, inner: TextStyle): TextStyle {
  return withoutGaps(inner.color ?? outer.color, inner.background ?? outer.background);
}

/** Parses a hex or rgb() colour into #rrggbb; null for everything else, transparency included. */
export function parseColor(input: string): string | null {
  const text = input.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  if (/^#[0-9a-f]{3}$/.test(text)) return text.replace(/[0-9a-f]/g, "$&$&");
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  if (rgb === null) return null;
  const channels = rgb.slice(1).map(Number);
  if (channels.some((channel) => channel > 255)) return null;
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function withoutGaps(color: string | undefined, background: string | undefined): TextStyle {
  return {
    ...(color === undefined ? {} : { color }),
    ...(background === undefined ? {} : { background }),
  };
}
