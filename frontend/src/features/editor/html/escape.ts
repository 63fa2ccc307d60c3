/**
 * Escaping identical to that of HTML serializers, character for character, so that a sanitizer that
 * parses and serializes the document returns the same bytes.
 */

const LONE_SURROGATE = /\p{Cs}/gu;
// Control characters other than tab and newline have no meaning in a document.
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Returns text that passes UTF-8, JSON and an HTML parser unchanged. */
export function cleanText(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD").replace(CONTROLS, "");
}

/** Escapes the text content of an element. */
export function escapeText(text: string): string {
  return cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("\u00A0", "&nbsp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/**
 * Escapes a double-quoted attribute value. Serializers disagree about angle brackets in attributes
 * (the HTML standard changed in 2025), so they are removed rather than escaped.
 */
export function escapeAttribute(value: string): string {
  return cleanText(value)
    .replace(/[<>\t\n]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("\u00A0", "&nbsp;")
    .replaceAll('"', "&quot;");
}
