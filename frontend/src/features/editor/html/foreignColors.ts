/**
 * Colours of a clipboard. The palettes are readable on the page in both themes, and other colours
 * are not: each becomes the nearest of its palette. Black, white and what is close to them are the
 * ordinary text and page of their source.
 */
import { HIGHLIGHT_COLORS, type PaletteColor, TEXT_COLORS } from "../colors";
import { parseColor } from "./textStyle";

/** `null` is the default, which ends a colour around it; absent is none of its own. */
export interface ForeignColors {
  readonly color?: string | null;
  readonly background?: string | null;
}

/** Names in Word, mails and old pages. */
const NAMES: Readonly<Record<string, string>> = {
  red: "#ff0000",
  crimson: "#dc143c",
  darkred: "#8b0000",
  maroon: "#800000",
  brown: "#a52a2a",
  orange: "#ffa500",
  gold: "#ffd700",
  yellow: "#ffff00",
  olive: "#808000",
  lime: "#00ff00",
  green: "#008000",
  lightgreen: "#90ee90",
  darkgreen: "#006400",
  teal: "#008080",
  cyan: "#00ffff",
  aqua: "#00ffff",
  turquoise: "#40e0d0",
  lightblue: "#add8e6",
  blue: "#0000ff",
  darkblue: "#00008b",
  navy: "#000080",
  indigo: "#4b0082",
  purple: "#800080",
  violet: "#ee82ee",
  magenta: "#ff00ff",
  fuchsia: "#ff00ff",
  pink: "#ffc0cb",
  gray: "#808080",
  grey: "#808080",
  black: "#000000",
  white: "#ffffff",
  windowtext: "#000000",
  window: "#ffffff",
};

const GREY = "#586172";
/** Difference of channels from which a colour has a hue. */
const MIN_CHROMA = 40;

/** Reads the colours of an element; a background counts only behind words. */
export function foreignColors(element: HTMLElement, isInline: boolean): ForeignColors {
  const css = declarations(element.getAttribute("style") ?? "");
  const color =
    css.get("color") ?? (element.tagName === "FONT" ? element.getAttribute("color") : null);
  const behind = css.get("mso-highlight") ?? css.get("background-color") ?? css.get("background");
  const text = color ? hexOf(color) : null;
  const mark = isInline && behind ? hexOf(behind) : null;
  return {
    ...(text === null ? {} : { color: textColor(text) }),
    ...(mark === null ? {} : { background: highlight(mark) }),
  };
}

function declarations(css: string): Map<string, string> {
  const pairs = css.split(";").map((each) => each.split(":", 2));
  return new Map(pairs.map(([name = "", value = ""]) => [name.trim().toLowerCase(), value.trim()]));
}

/** Returns #rrggbb; null for anything but a plain colour, such as an image or a transparent one. */
function hexOf(value: string): string | null {
  const text = value.toLowerCase().replace(/\s*!important$/, "");
  const opaque = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:\s*[,/]\s*(?:1|1\.0+|100%))?\s*\)/.exec(
    text,
  );
  if (opaque) return parseColor(`rgb(${opaque.slice(1).join(",")})`);
  return parseColor(text) ?? NAMES[text.split(/\s/, 1)[0] ?? ""] ?? null;
}

function textColor(hex: string): string | null {
  if (isOf(TEXT_COLORS, hex)) return hex;
  const channels = channelsOf(hex);
  const [low, high] = [Math.min(...channels), Math.max(...channels)];
  if (high - low >= MIN_CHROMA) return nearest(TEXT_COLORS.filter(hasHue), channels);
  return low > 0x60 && high < 0xc0 ? GREY : null;
}

function highlight(hex: string): string | null {
  if (isOf(HIGHLIGHT_COLORS, hex)) return hex;
  const channels = channelsOf(hex);
  const isPale = Math.max(...channels) - Math.min(...channels) < MIN_CHROMA / 2;
  return isPale ? null : nearest(HIGHLIGHT_COLORS, channels);
}

const isOf = (palette: readonly PaletteColor[], hex: string): boolean =>
  palette.some(({ value }) => value === hex);

const hasHue = ({ value }: PaletteColor): boolean => {
  const channels = channelsOf(value);
  return Math.max(...channels) - Math.min(...channels) >= MIN_CHROMA;
};

/** Returns the colour of the nearest hue; of about the same, the one as dark. */
function nearest(palette: readonly PaletteColor[], channels: readonly number[]): string {
  const hue = hueOf(channels);
  const light = lightness(channels);
  const distance = ({ value }: PaletteColor) => {
    const other = channelsOf(value);
    const turn = Math.abs(hueOf(other) - hue);
    return Math.min(turn, 360 - turn) + Math.abs(lightness(other) - light) / 2;
  };
  return palette.reduce((best, each) => (distance(each) < distance(best) ? each : best)).value;
}

const channelsOf = (hex: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

const lightness = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  0.3 * red + 0.59 * green + 0.11 * blue;

/** Returns the hue in degrees. */
function hueOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const high = Math.max(red, green, blue);
  const range = high - Math.min(red, green, blue) || 1;
  if (high === red) return (((green - blue) / range) * 60 + 360) % 360;
  if (high === green) return ((blue - red) / range) * 60 + 120;
  return ((red - green) / range) * 60 + 240;
}
