/**
 * Replaces each character that has no look of its own, or changes that of others, by its code point,
 * such as `\\u{202e}`: control and format characters, bidirectional ones among them, and separators of
 * lines. A false bundle may have them in its names. Joiners stay: some scripts need them in names of
 * people.
 */
export const escaped = (text: string): string =>
  text.replace(
    /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
