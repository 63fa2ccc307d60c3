/**
 * The complete document editor without its React components: schema, paste, undo and typing. The
 * page and the tests build from this one extension, and so could a headless use.
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
import { SelectedBlockExtension } from "./selectedBlock";
import { ShortcutsExtension } from "./shortcuts";
import { TablesExtension } from "./tables";
import { TextColorsExtension } from "./textColors";

/** Undo depth, and grouping delay in milliseconds (docs/rules.md#ui-constants). */
export const UNDO = { maxDepth: 100, delay: 500 } as const;

/** All features of an IdeaVault document. */
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
    SelectedBlockExtension,
    ShortcutsExtension,
    MarkdownTypingExtension,
    FormattingStateExtension,
    configExtension(HistoryExtension, UNDO),
  ],
});
