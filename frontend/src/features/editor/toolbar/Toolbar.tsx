import { HistoryExtension } from "@lexical/history";
import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { useExtensionSignalValue } from "@lexical/react/useExtensionSignalValue";
import {
  FORMAT_TEXT_COMMAND,
  IS_BOLD,
  IS_CODE,
  IS_ITALIC,
  IS_STRIKETHROUGH,
  IS_SUBSCRIPT,
  IS_SUPERSCRIPT,
  type LexicalEditor,
  REDO_COMMAND,
  type TextFormatType,
  UNDO_COMMAND,
} from "lexical";
import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  type LucideIcon,
  Pilcrow,
  Redo2,
  SquareCode,
  Strikethrough,
  Subscript,
  Superscript,
  TextQuote,
  Undo2,
} from "lucide-react";
import { type BlockKind, TOGGLE_BLOCK_COMMAND } from "../extensions/blocks";
import { FormattingStateExtension } from "../extensions/formattingState";
import { ColorButtons } from "./ColorButtons";
import { InsertButtons } from "./InsertButtons";
import { shortcutLabel } from "./shortcutLabel";
import { ToolbarButton } from "./ToolbarButton";
import { useRovingFocus } from "./useRovingFocus";

type Item<T> = readonly [value: T, label: string, icon: LucideIcon, shortcut?: string];

const FORMATS: readonly Item<TextFormatType>[] = [
  ["bold", "Bold", Bold, "Mod+B"],
  ["italic", "Italic", Italic, "Mod+I"],
  ["strikethrough", "Strikethrough", Strikethrough, "Mod+Shift+X"],
  ["code", "Code", Code, "Mod+E"],
  ["subscript", "Subscript", Subscript, "Mod+,"],
  ["superscript", "Superscript", Superscript, "Mod+."],
];
const FORMAT_BITS: Partial<Record<TextFormatType, number>> = {
  bold: IS_BOLD,
  italic: IS_ITALIC,
  strikethrough: IS_STRIKETHROUGH,
  code: IS_CODE,
  subscript: IS_SUBSCRIPT,
  superscript: IS_SUPERSCRIPT,
};
const TEXT_BLOCKS: readonly Item<BlockKind>[] = [
  ["paragraph", "Paragraph", Pilcrow, "Mod+Alt+0"],
  ["h1", "Heading 1", Heading1, "Mod+Alt+1"],
  ["h2", "Heading 2", Heading2, "Mod+Alt+2"],
  ["h3", "Heading 3", Heading3, "Mod+Alt+3"],
];
const OTHER_BLOCKS: readonly Item<BlockKind>[] = [
  ["bullet", "Bullet list", List, "Mod+Shift+8"],
  ["number", "Ordered list", ListOrdered, "Mod+Shift+7"],
  ["quote", "Quote", TextQuote, "Mod+Shift+9"],
  ["code", "Code block", SquareCode],
];

/** The formatting toolbar. Scrolls sideways when it does not fit. */
export function Toolbar({ controls }: { controls: string }) {
  const [editor] = useLexicalComposerContext();
  const roving = useRovingFocus<HTMLDivElement>();
  return (
    <div
      {...roving}
      onKeyDown={(event) => {
        if (event.key === "Escape") editor.focus();
        else roving.onKeyDown(event);
      }}
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      className="-mx-1 flex items-center gap-0.5 overflow-x-auto p-1 [scrollbar-width:none] max-md:pr-8 max-md:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)]"
    >
      <HistoryButtons editor={editor} />
      <Divider />
      <BlockButtons editor={editor} items={TEXT_BLOCKS} />
      <Divider />
      <FormatButtons editor={editor} />
      <ColorButtons editor={editor} />
      <Divider />
      <BlockButtons editor={editor} items={OTHER_BLOCKS} />
      <Divider />
      <InsertButtons editor={editor} />
    </div>
  );
}

function HistoryButtons({ editor }: { editor: LexicalEditor }) {
  const canUndo = useExtensionSignalValue(HistoryExtension, "canUndo");
  const canRedo = useExtensionSignalValue(HistoryExtension, "canRedo");
  return (
    <>
      <ToolbarButton
        icon={Undo2}
        label="Undo"
        shortcut={shortcutLabel("Mod+Z")}
        inactive={!canUndo}
        onPress={() => editor.dispatchCommand(UNDO_COMMAND)}
      />
      <ToolbarButton
        icon={Redo2}
        label="Redo"
        shortcut={shortcutLabel("Mod+Shift+Z")}
        inactive={!canRedo}
        onPress={() => editor.dispatchCommand(REDO_COMMAND)}
      />
    </>
  );
}

function BlockButtons({
  editor,
  items,
}: {
  editor: LexicalEditor;
  items: readonly Item<BlockKind>[];
}) {
  const { block } = useExtensionSignalValue(FormattingStateExtension, "formatting");
  return items.map(([kind, label, icon, shortcut]) => (
    <ToolbarButton
      key={kind}
      icon={icon}
      label={label}
      shortcut={shortcut && shortcutLabel(shortcut)}
      pressed={block === kind}
      onPress={() => editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, kind)}
    />
  ));
}

function FormatButtons({ editor }: { editor: LexicalEditor }) {
  const { formats } = useExtensionSignalValue(FormattingStateExtension, "formatting");
  return FORMATS.map(([format, label, icon, shortcut]) => (
    <ToolbarButton
      key={format}
      icon={icon}
      label={label}
      shortcut={shortcut && shortcutLabel(shortcut)}
      pressed={(formats & (FORMAT_BITS[format] ?? 0)) !== 0}
      onPress={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, format)}
    />
  ));
}

function Divider() {
  return <span aria-hidden="true" className="mx-1 h-5 w-px shrink-0 bg-line" />;
}
