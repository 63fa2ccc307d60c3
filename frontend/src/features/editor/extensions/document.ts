/**
 * The complete document editor without its React surface: what may be written, how it is pasted,
 * undone and typed. The page, the tests and any later headless use build from this one extension.
 */
import { HorizontalRuleExtension } from "@lexical/extension";
import { HistoryExtension } from "@lexical/history";
import { configExtension, defineExtension } from "lexical";
import { BlocksExtension } from "./blocks";
import { DocumentSchemaExtension } from "./documentSchema";
import { FormattingStateExtension } from "./formattingState";
import { LinksExtension } from "./links";
import { MarkdownTypingExtension } from "./markdown";
import { MediaExtension } from "./media";
import { PasteExtension } from "./paste";
import { ShortcutsExtension } from "./shortcuts";
import { TablesExtension } from "./tables";
import { TextColorsExtension } from "./textColors";

/** Undo depth and grouping delay (specification, section 9). */
export const UNDO = { maxDepth: 100, delay: 500 } as const;

/** Everything an IdeaVault document can do. */
export const DocumentExtension = defineExtension({
  name: "ideavault/Document",
  dependencies: [
    DocumentSchemaExtension,
    PasteExtension,
    BlocksExtension,
    LinksExtension,
    TextColorsExtension,
    HorizontalRuleExtension,
    TablesExtension,
    MediaExtension,
    ShortcutsExtension,
    MarkdownTypingExtension,
    FormattingStateExtension,
    configExtension(HistoryExtension, UNDO),
  ],
});
