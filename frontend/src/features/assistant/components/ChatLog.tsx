import { useEffect, useRef } from "react";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import type { AssistantDocument } from "../assistantDocument";
import type { ChatMessage } from "../conversation";
import { messages } from "../messages";
import { Answer } from "./Answer";

/** Scroll delay of the chat, in milliseconds. */
const SCROLL_DELAY_MS = 100;

/** Without a tab stop, the keyboard could not scroll the region in every browser (WCAG 2.1.1). */
const keyboardScrolling = { tabIndex: 0 };

interface ChatLogProps {
  readonly history: readonly ChatMessage[];
  readonly isWaiting: boolean;
  readonly document: AssistantDocument;
}

/** The chat, oldest message first. */
export function ChatLog({ history, isWaiting, document }: ChatLogProps) {
  const log = useRef<HTMLDivElement>(null);
  const newest = `${history.at(-1)?.id} ${isWaiting}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever something is new.
  useEffect(() => {
    const timer = setTimeout(() => {
      const region = log.current;
      const last = region?.lastElementChild;
      if (!region || !last) return;
      // A long response is read from its beginning.
      const distance = last.getBoundingClientRect().top - region.getBoundingClientRect().top;
      region.scrollTop += Math.max(distance - 16, 0);
    }, SCROLL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [newest]);

  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      {...keyboardScrolling}
      className="my-3 flex min-h-32 flex-1 flex-col gap-3 overflow-y-auto rounded-md border border-line bg-sunken p-3 sm:p-4"
    >
      {history.length === 0 && !isWaiting && (
        <p className="m-auto max-w-xs text-center text-muted">{messages.empty}</p>
      )}
      {history.map((message) => (
        <Bubble key={message.id} message={message} document={document} />
      ))}
      {isWaiting && (
        <p className="flex items-center gap-2 text-muted text-sm">
          <Spinner />
          {messages.thinking}
        </p>
      )}
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
