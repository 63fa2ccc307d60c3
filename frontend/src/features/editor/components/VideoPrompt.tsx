import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { COMMAND_PRIORITY_EDITOR } from "lexical";
import { useLayoutEffect, useState } from "react";
import { INSERT_VIDEO_COMMAND, REQUEST_VIDEO_COMMAND } from "../extensions/media";
import { parseVideoUrl } from "../html/media";
import { messages } from "../messages";
import { PromptDialog } from "./PromptDialog";

/** Shows the video dialog when the toolbar requests it. */
export function VideoPrompt() {
  const [editor] = useLexicalComposerContext();
  const [isOpen, setOpen] = useState(false);

  useLayoutEffect(
    () =>
      editor.registerCommand(
        REQUEST_VIDEO_COMMAND,
        () => {
          setOpen(true);
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
    [editor],
  );

  const question = isOpen && {
    title: "Add video",
    label: messages.videoPrompt,
    initialValue: "",
    hint: "A youtube.com/watch or youtu.be link. Nothing is loaded from YouTube until someone presses Play.",
    submitLabel: "Add video",
    onClose: () => setOpen(false),
    onSubmit: (value: string) => {
      if (value.trim() === "") return undefined;
      if (parseVideoUrl(value) === null) return "This is not a link to a YouTube video.";
      editor.dispatchCommand(INSERT_VIDEO_COMMAND, value);
      return undefined;
    },
  };
  return <PromptDialog question={question || null} />;
}
