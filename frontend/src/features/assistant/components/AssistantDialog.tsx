import { Send } from "lucide-react";
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextArea } from "@/ui/form/TextArea";
import type { AssistantDocument } from "../assistantDocument";
import { messagesLeft } from "../conversation";
import { messages } from "../messages";
import { useConversation } from "../useConversation";
import { ChatLog } from "./ChatLog";
import { CopyAll } from "./CopyAll";
import { IncludeIdea } from "./IncludeIdea";
import { SelectionOffer } from "./SelectionOffer";

interface AssistantDialogProps {
  readonly document: AssistantDocument;
  readonly onClose: () => void;
}

/** Number of remaining messages from which it is shown. */
const FEW_MESSAGES = 10;

/** The dialog 'Write with AI Assistant'. Closing it unmounts it, which clears the chat. */
export function AssistantDialog({ document, onClose }: AssistantDialogProps) {
  const chat = useConversation();
  const [selection, setSelection] = useState(() => document.readSelection().trim());
  const [includesIdea, setIncludesIdea] = useState(false);
  const [ideaText] = useState(() => document.readText().trim());
  const input = useRef<HTMLTextAreaElement>(null);

  // Deferred, because the dialog first records which element had focus.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);

  const sentText = includesIdea ? ideaText : null;
  const limit = chat.limit(sentText);
  const isBlank = chat.draft.trim() === "";
  const send = () => {
    if (isBlank || chat.isWaiting || limit !== null) return;
    void chat.send(chat.draft, sentText);
    // Consent is asked for each message.
    setIncludesIdea(false);
    // The button is about to be disabled and would lose focus.
    input.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The form is in a portal, but React would still bubble its submit event to the page around it.
    event.stopPropagation();
    send();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // Enter also ends an input method's composition in many scripts.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const left = messagesLeft(chat.history);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      staysOnOutsideClick
      title={messages.title}
      description="Your messages go to the AI service set up for this IdeaVault. Closing clears them."
      className="flex h-[44rem] flex-col max-sm:p-4 sm:max-w-2xl"
    >
      <ChatLog history={chat.history} isWaiting={chat.isWaiting} document={document} />
      {selection !== "" && chat.history.length === 0 && (
        <SelectionOffer
          text={selection}
          onSend={() => {
            setSelection("");
            void chat.send(selection, null);
            input.current?.focus();
          }}
          onDismiss={() => {
            setSelection("");
            input.current?.focus();
          }}
        />
      )}
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        {chat.failure && <Alert>{chat.failure}</Alert>}
        <TextArea
          ref={input}
          label="Your message"
          rows={2}
          placeholder={messages.placeholder}
          hint={
            left <= FEW_MESSAGES
              ? `Shift+Enter starts a new line. This conversation has room for ${left} more ${left === 1 ? "message" : "messages"}.`
              : "Shift+Enter starts a new line."
          }
          error={limit ?? undefined}
          value={chat.draft}
          onChange={(event) => chat.setDraft(event.target.value)}
          onKeyDown={sendOnEnter}
        />
        <IncludeIdea text={ideaText} checked={includesIdea} onChange={setIncludesIdea} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CopyAll history={chat.history} />
          <Button type="submit" size="sm" disabled={isBlank || chat.isWaiting || limit !== null}>
            <Send className="size-4" aria-hidden="true" />
            {messages.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
