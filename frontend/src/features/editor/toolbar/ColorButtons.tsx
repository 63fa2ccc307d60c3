import { useExtensionSignalValue } from "@lexical/react/useExtensionSignalValue";
import type { LexicalEditor } from "lexical";
import { Baseline, Highlighter } from "lucide-react";
import { HIGHLIGHT_COLORS, TEXT_COLORS } from "../colors";
import { FormattingStateExtension } from "../extensions/formattingState";
import { SET_HIGHLIGHT_COMMAND, SET_TEXT_COLOR_COMMAND } from "../extensions/textColors";
import { ColorMenu } from "./ColorMenu";
import { shortcutLabel } from "./shortcutLabel";

/** Highlighter and text colour. */
export function ColorButtons({ editor }: { editor: LexicalEditor }) {
  const { color, highlight } = useExtensionSignalValue(FormattingStateExtension, "formatting");
  return (
    <>
      <ColorMenu
        editor={editor}
        icon={Highlighter}
        label="Highlight"
        shortcut={shortcutLabel("Mod+Shift+H")}
        colors={HIGHLIGHT_COLORS}
        current={highlight}
        resetLabel="No highlight"
        onChoose={(value) => editor.dispatchCommand(SET_HIGHLIGHT_COMMAND, value)}
      />
      <ColorMenu
        editor={editor}
        icon={Baseline}
        label="Text colour"
        colors={TEXT_COLORS}
        current={color}
        resetLabel="Reset to default"
        onChoose={(value) => editor.dispatchCommand(SET_TEXT_COLOR_COMMAND, value)}
      />
    </>
  );
}
