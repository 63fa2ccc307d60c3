/**
 * The fixed palettes of the toolbar. Values are stored in documents, so a value that was ever
 * shipped is never removed. The document page is light in both themes, so one value serves both.
 */

/** One swatch. */
export interface PaletteColor {
  /** Accessible name and tooltip. */
  readonly name: string;
  /** Six-digit lower-case hex, as stored. */
  readonly value: `#${string}`;
}

/**
 * The 21 text colours (docs/rules.md#ui-constants): seven hues in three shades. Each has a contrast
 * of at least 4.5:1 on the light page.
 */
export const TEXT_COLORS: readonly PaletteColor[] = [
  { name: "Charcoal", value: "#3d4450" },
  { name: "Red", value: "#b3261e" },
  { name: "Orange", value: "#a84300" },
  { name: "Gold", value: "#7d5700" },
  { name: "Green", value: "#1d6b34" },
  { name: "Blue", value: "#1a56b0" },
  { name: "Purple", value: "#6d35a8" },
  { name: "Slate", value: "#586172" },
  { name: "Rose", value: "#b4235f" },
  { name: "Copper", value: "#8f4a26" },
  { name: "Olive", value: "#5b6310" },
  { name: "Teal", value: "#0b6a66" },
  { name: "Indigo", value: "#4145b8" },
  { name: "Magenta", value: "#9a2a8f" },
  { name: "Black", value: "#14181f" },
  { name: "Maroon", value: "#7a1620" },
  { name: "Brown", value: "#5e3a1c" },
  { name: "Forest", value: "#14472a" },
  { name: "Petrol", value: "#0c4a5c" },
  { name: "Navy", value: "#1b2f6b" },
  { name: "Plum", value: "#4f1d5c" },
];

/** Highlighter colours, light enough for every text colour on top. */
export const HIGHLIGHT_COLORS: readonly PaletteColor[] = [
  { name: "Yellow", value: "#fff0a3" },
  { name: "Green", value: "#cdf2cf" },
  { name: "Blue", value: "#cfe6ff" },
  { name: "Pink", value: "#ffd6e4" },
  { name: "Orange", value: "#ffdfbd" },
  { name: "Purple", value: "#e6dbff" },
];
