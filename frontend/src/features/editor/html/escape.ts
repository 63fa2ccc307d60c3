/**
 * Escaping that matches what HTML serializers write after parsing, character for character, so
 * that a sanitizer which parses and prints the document returns the same bytes.
 */

const LONE_SURROGATE = /\p{Cs}/gu;
// Control characters other than tab and newline have no meaning in a document.
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Text that survives UTF-8, JSON and an HTML parser unchanged. */
export function cleanText(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD").replace(CONTROLS, "");
}

/** Text content for an element. */
export function escapeText(text: string): string {
  return cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("\u00A0", "&nbsp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/**
 * A double-quoted attribute value. Serializers disagree about angle brackets in attributes
 * (the HTML standard changed in 2025), so they are left out rather than escaped.
 */
export function escapeAttribute(value: string): string {
  return cleanText(value)
    .replace(/[<>\t\n]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("\u00A0", "&nbsp;")
    .replaceAll('"', "&quot;");
}
