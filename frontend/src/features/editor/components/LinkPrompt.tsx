import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { COMMAND_PRIORITY_EDITOR } from "lexical";
import { useLayoutEffect, useState } from "react";
import { readFormatting } from "../extensions/formattingState";
import { SET_LINK_COMMAND } from "../extensions/links";
import { REQUEST_LINK_COMMAND } from "../extensions/shortcuts";
import { parseLinkUrl } from "../html/urls";
import { messages } from "../messages";
import { PromptDialog } from "./PromptDialog";

/** Shows the link dialog when the toolbar or the keyboard requests it. */
export function LinkPrompt() {
  const [editor] = useLexicalComposerContext();
  const [current, setCurrent] = useState<string | null>(null);

  useLayoutEffect(
    () =>
      editor.registerCommand(
        REQUEST_LINK_COMMAND,
        () => {
          setCurrent(readFormatting(editor).link ?? "");
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
    [editor],
  );

  const question = current !== null && {
    title: current === "" ? "Add link" : "Change link",
    label: messages.linkPrompt,
    initialValue: current,
    hint: "Leave empty to remove the link.",
    submitLabel: "Apply",
    onClose: () => setCurrent(null),
    onSubmit: (value: string) => {
      if (value.trim() !== "" && parseLinkUrl(value) === null) {
        return "This link cannot be used. Enter a web address, an email address or a phone number.";
      }
      return editor.dispatchCommand(SET_LINK_COMMAND, value)
        ? undefined
        : "A link needs text. Close this, select some text, and try again.";
    },
  };
  return <PromptDialog question={question || null} />;
}
