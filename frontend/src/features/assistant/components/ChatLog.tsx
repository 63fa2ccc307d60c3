import { useEffect, useRef } from "react";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import type { ChatMessage } from "../conversation";
import { messages } from "../messages";

/** Spec section 9, AI chat scroll delay. */
const SCROLL_DELAY_MS = 100;

/** Without a tab stop, the keyboard could not scroll the region in every browser (WCAG 2.1.1). */
const keyboardScrolling = { tabIndex: 0 };

interface ChatLogProps {
  history: readonly ChatMessage[];
  isWaiting: boolean;
}

/** What was said, oldest first, as plain text whatever it looks like. */
export function ChatLog({ history, isWaiting }: ChatLogProps) {
  const log = useRef<HTMLDivElement>(null);
  const newest = `${history.at(-1)?.id} ${isWaiting}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever something is new.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (log.current) log.current.scrollTop = log.current.scrollHeight;
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
        <Bubble key={message.id} message={message} />
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

function Bubble({ message: { role, content } }: { message: ChatMessage }) {
  const isMine = role === "user";
  return (
    <div
      className={cx(
        "max-w-[88%] rounded-lg border px-3.5 py-2.5",
        isMine ? "self-end border-line-strong bg-paper" : "self-start border-line bg-surface",
      )}
    >
      <p className="mb-0.5 font-semibold text-muted text-xs">{isMine ? "You" : "AI"}</p>
      <p className="wrap-anywhere whitespace-pre-wrap">{content}</p>
    </div>
  );
}
