import { Send } from "lucide-react";
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef } from "react";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextArea } from "@/ui/form/TextArea";
import { MOST_MESSAGES } from "../conversation";
import { messages } from "../messages";
import { useConversation } from "../useConversation";
import { ChatLog } from "./ChatLog";
import { CopyAll } from "./CopyAll";

interface AssistantDialogProps {
  /** Sent as the first message unless blank. */
  initialText: string;
  onClose: () => void;
}

/** 'Write with AI Assistant' (spec section 2). Closing it unmounts it, which clears the chat. */
export function AssistantDialog({ initialText, onClose }: AssistantDialogProps) {
  const chat = useConversation(initialText);
  const input = useRef<HTMLTextAreaElement>(null);

  // A moment later than the dialog, which first notes where focus came from.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);

  const isBlank = chat.draft.trim() === "";
  const send = () => {
    if (isBlank || chat.isWaiting || chat.limit !== null) return;
    void chat.send();
    // The button is about to be disabled, and would take the focus with it.
    input.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The form sits in a portal, but React would still hand its submit to the page around it.
    event.stopPropagation();
    send();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // Enter also ends the composition of a word in many scripts.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      staysOnOutsideClick
      title={messages.title}
      description="Your messages go to the AI service set up for this IdeaVault. Closing clears them."
      className="flex h-[44rem] flex-col max-sm:p-4 sm:max-w-2xl"
    >
      <ChatLog history={chat.history} isWaiting={chat.isWaiting} />
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        {chat.failure && <Alert>{chat.failure}</Alert>}
        <TextArea
          ref={input}
          label="Your message"
          rows={2}
          placeholder={messages.placeholder}
          hint={`Shift+Enter starts a new line. ${chat.history.length} of ${MOST_MESSAGES} messages used.`}
          error={chat.limit ?? undefined}
          value={chat.draft}
          onChange={(event) => chat.setDraft(event.target.value)}
          onKeyDown={sendOnEnter}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CopyAll history={chat.history} />
          <Button
            type="submit"
            size="sm"
            disabled={isBlank || chat.isWaiting || chat.limit !== null}
          >
            <Send className="size-4" aria-hidden="true" />
            {messages.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
