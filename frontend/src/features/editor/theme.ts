/** Class names that Lexical writes on live nodes; the look itself is in `prose.css`. */
import type { EditorThemeClasses } from "lexical";

/** Only what plain element selectors cannot reach. */
export const documentTheme: EditorThemeClasses = {
  code: "prose-code",
  hrSelected: "outline-2 outline-offset-4 outline-[#1f5fbf]",
  // Lexical draws one tag per text; what is not the tag has to come from a class.
  text: {
    italic: "italic",
    strikethrough: "line-through",
    subscript: "prose-sub",
    superscript: "prose-sup",
  },
  tableScrollableWrapper: "prose-table",
  tableCellSelected: "prose-cell-selected",
};
