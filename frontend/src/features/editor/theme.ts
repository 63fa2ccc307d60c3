/** Class names that Lexical sets on live nodes; their styles are in `prose.css`. */
import type { EditorThemeClasses } from "lexical";

/** Only what element selectors cannot reach. */
export const documentTheme: EditorThemeClasses = {
  code: "prose-code",
  hrSelected: "outline-2 outline-offset-4 outline-page-focus",
  // Lexical renders one tag per text; further formats need a class.
  text: {
    italic: "italic",
    strikethrough: "line-through",
    subscript: "prose-sub",
    superscript: "prose-sup",
  },
  tableScrollableWrapper: "prose-table",
  tableCellSelected: "prose-cell-selected",
};
