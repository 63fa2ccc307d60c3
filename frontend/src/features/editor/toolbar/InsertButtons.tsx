import { INSERT_HORIZONTAL_RULE_COMMAND } from "@lexical/extension";
import { useExtensionSignalValue } from "@lexical/react/useExtensionSignalValue";
import type { LexicalEditor } from "lexical";
import { ImagePlus, Link, Minus, SquarePlay } from "lucide-react";
import { useRef } from "react";
import { FormattingStateExtension } from "../extensions/formattingState";
import { REQUEST_VIDEO_COMMAND, UPLOAD_IMAGES_COMMAND } from "../extensions/media";
import { REQUEST_LINK_COMMAND } from "../extensions/shortcuts";
import { shortcutLabel } from "./shortcutLabel";
import { TableButton } from "./TableButton";
import { ToolbarButton } from "./ToolbarButton";

/** Insert buttons: rule, table, link, image and video. */
export function InsertButtons({ editor }: { editor: LexicalEditor }) {
  return (
    <>
      <ToolbarButton
        icon={Minus}
        label="Horizontal rule"
        onPress={() => editor.dispatchCommand(INSERT_HORIZONTAL_RULE_COMMAND)}
      />
      <TableButton editor={editor} />
      <LinkButton editor={editor} />
      <ImageButton editor={editor} />
      <ToolbarButton
        icon={SquarePlay}
        label="Add video"
        onPress={() => editor.dispatchCommand(REQUEST_VIDEO_COMMAND)}
      />
    </>
  );
}

function LinkButton({ editor }: { editor: LexicalEditor }) {
  const { link } = useExtensionSignalValue(FormattingStateExtension, "formatting");
  return (
    <ToolbarButton
      icon={Link}
      label="Add link"
      shortcut={shortcutLabel("Mod+K")}
      pressed={link !== null}
      onPress={() => editor.dispatchCommand(REQUEST_LINK_COMMAND)}
    />
  );
}

function ImageButton({ editor }: { editor: LexicalEditor }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <ToolbarButton icon={ImagePlus} label="Add image" onPress={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        aria-label="Image file"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Reset, so that the same file can be picked again.
          target.value = "";
          if (files.length > 0) editor.dispatchCommand(UPLOAD_IMAGES_COMMAND, files);
        }}
      />
    </>
  );
}
