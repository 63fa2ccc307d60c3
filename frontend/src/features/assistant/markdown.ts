/** Converts the assistant's Markdown into HTML of the document language. */
import { Marked } from "marked";

/**
 * HTML written by the model is shown as text, and images and links as their text: nothing in a
 * response is loaded or links anywhere.
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

/** Converts a response into HTML. Callers must pass it through an allow-list. */
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
