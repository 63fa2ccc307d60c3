/** Turns the assistant's Markdown into HTML of the document language. */
import { Marked } from "marked";

/**
 * HTML that the model wrote is shown as text, and pictures and links as what they say: nothing that
 * an answer contains is loaded, or leads anywhere.
 */
const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    checkbox: () => "",
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = escapeHtml(href);
      return text === address ? text : `${text} (${address})`;
    },
  },
});

/** The answer as HTML. What it may contain is up to whoever reads it: always through an allow-list. */
export function markdownToHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
