/** Class names that Lexical writes on live nodes; the look itself is in `prose.css`. */
import type { EditorThemeClasses } from "lexical";

/** Only what plain element selectors cannot reach. */
export const documentTheme: EditorThemeClasses = {
  code: "prose-code",
  hrSelected: "is-selected",
  list: { nested: { listitem: "prose-nested" } },
};
