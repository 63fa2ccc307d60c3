/** Formatting of the selection as one signal, so that a toolbar renders only when it changes. */
import { signal } from "@lexical/extension";
import { $isLinkNode } from "@lexical/link";
import { $getSelectionStyleValueForProperty } from "@lexical/selection";
import {
  $findMatchingParent,
  $getSelection,
  $isRangeSelection,
  defineExtension,
  type LexicalEditor,
} from "lexical";
import { parseColor } from "../html/textStyle";
import { $blockKind, type BlockKind } from "./blocks";
import { $tablePlace, type TablePlace } from "./tableEdits";

/** The formatting of the current selection. */
interface Formatting {
  readonly block: BlockKind | undefined;
  /** Lexical's text format bits that the whole selection has. */
  readonly formats: number;
  /** Address of the link around the selection. */
  readonly link: string | null;
  /** Six-digit hex, or null for none or several. */
  readonly color: string | null;
  readonly highlight: string | null;
  /** Possible edits of the table around the selection; null outside tables. */
  readonly table: TablePlace | null;
}

const NO_SELECTION: Formatting = {
  block: undefined,
  formats: 0,
  link: null,
  color: null,
  highlight: null,
  table: null,
};

/** Publishes the formatting of the selection as `formatting`. */
export const FormattingStateExtension = defineExtension({
  name: "ideavault/FormattingState",
  build: () => ({ formatting: signal<Formatting>(NO_SELECTION) }),
  register: (editor, _config, state) => {
    const { formatting } = state.getOutput();
    return editor.registerUpdateListener(({ editorState }) => {
      const next = editorState.read($readFormatting, { editor });
      if (!isEqual(next, formatting.peek())) formatting.value = next;
    });
  },
});

/** Reads the current formatting of the selection. */
export function readFormatting(editor: LexicalEditor): Formatting {
  return editor.read($readFormatting);
}

function $readFormatting(): Formatting {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return { ...NO_SELECTION, table: $tablePlace() };
  const anchor = selection.anchor.getNode();
  const style = (property: string) =>
    parseColor($getSelectionStyleValueForProperty(selection, property, ""));
  return {
    block: $blockKind(anchor),
    formats: selection.format,
    link: $findMatchingParent(anchor, $isLinkNode)?.getURL() ?? null,
    color: style("color"),
    highlight: style("background-color"),
    table: $tablePlace(),
  };
}

function isEqual(a: Formatting, b: Formatting): boolean {
  return (
    a.block === b.block &&
    a.formats === b.formats &&
    a.link === b.link &&
    a.color === b.color &&
    a.highlight === b.highlight &&
    a.table?.canMerge === b.table?.canMerge &&
    a.table?.canSplit === b.table?.canSplit
  );
}
