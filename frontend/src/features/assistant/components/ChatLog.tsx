import { useEffect, useRef } from "react";
import { cx } from "@/ui/cx";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Spinner } from "@/ui/Spinner";
import type { AssistantDocument } from "../assistantDocument";
import type { ChatMessage } from "../conversation";
import { messages } from "../messages";
import { Answer } from "./Answer";

/** Scroll delay of the chat, in milliseconds. */
const SCROLL_DELAY_MS = 100;

interface ChatLogProps {
  readonly history: readonly ChatMessage[];
  readonly isWaiting: boolean;
  readonly document: AssistantDocument;
}

/** The chat, oldest message first. */
export function ChatLog({ history, isWaiting, document }: ChatLogProps) {
  return (
    <ScrollRegion
      role="log"
      aria-label="Conversation"
      className="my-3 flex min-h-32 flex-1 flex-col gap-3 overflow-y-auto rounded-md border border-line bg-sunken p-3 sm:p-4"
    >
      {history.length === 0 && !isWaiting && (
        <p className="m-auto max-w-xs text-center text-muted">{messages.empty}</p>
      )}
      {history.map((message) => (
        <Bubble key={message.id} message={message} document={document} />
      ))}
      {isWaiting && <Waiting />}
    </ScrollRegion>
  );
}

/** Scrolls the chat to a new element; a long response is read from its beginning. */
function useScrollToNew() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const region = ref.current?.parentElement;
      if (!ref.current || !region) return;
      const distance = ref.current.getBoundingClientRect().top - region.getBoundingClientRect().top;
      region.scrollTop += Math.max(distance - 16, 0);
    }, SCROLL_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return ref;
}

function Waiting() {
  return (
    <div ref={useScrollToNew()} className="flex items-center gap-2 text-muted text-sm">
      <Spinner />
      {messages.thinking}
    </div>
  );
}

interface BubbleProps {
  readonly message: ChatMessage;
  readonly document: AssistantDocument;
}

function Bubble({ message: { role, content }, document }: BubbleProps) {
  const isMine = role === "user";
  return (
    <div
      ref={useScrollToNew()}
      className={cx(
        "max-w-[88%] rounded-lg border px-3.5 py-2.5",
        isMine ? "self-end border-line-strong bg-paper" : "self-start border-line bg-surface",
      )}
    >
      <p className="mb-0.5 font-semibold text-muted text-xs">{isMine ? "You" : "AI"}</p>
      {isMine ? (
        <p className="wrap-anywhere whitespace-pre-wrap">{content}</p>
      ) : (
        <Answer markdown={content} document={document} />
      )}
    </div>
  );
}
