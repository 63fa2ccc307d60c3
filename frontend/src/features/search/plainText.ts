/**
 * Converts Markdown into plain text: marks are removed, bullets become •. The result is shown as
 * text, never as HTML.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .filter((line) => !FENCE.test(line) && !RULE.test(line))
    .map((line) => withoutInlineMarks(withoutBlockMarks(line)).trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const FENCE = /^\s*(```|~~~)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;

function withoutBlockMarks(line: string): string {
  return line
    .replace(/^\s{0,3}(>\s?)+/, "")
    .replace(/^\s{0,3}#{1,6}\s+/, "")
    .replace(/^(\s*)[-*+•]\s+/, "$1• ");
}

// Every repetition is bounded: a response of nothing but opening marks must not stall the page.
function withoutInlineMarks(line: string): string {
  return line
    .replace(/!?\[([^\]]{0,500})\]\([^)\s]{0,2000}(?:\s"[^"]{0,500}")?\)/g, "$1")
    .replace(/\*\*\*(\S|\S.{0,500}?\S)\*\*\*/g, "$1")
    .replace(/\*\*(\S|\S.{0,500}?\S)\*\*/g, "$1")
    .replace(/(?<!\w)__(\S|\S.{0,500}?\S)__(?!\w)/g, "$1")
    .replace(/(?<![\w*])\*(\S|\S[^*]{0,500}?\S)\*(?![\w*])/g, "$1")
    .replace(/(?<!\w)_(\S|\S[^_]{0,500}?\S)_(?!\w)/g, "$1")
    .replace(/~~(\S|\S.{0,500}?\S)~~/g, "$1")
    .replace(/`{1,3}([^`]{1,500})`{1,3}/g, "$1");
}
