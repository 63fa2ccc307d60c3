import { useEffect, useRef, useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useAskAssistantMutation } from "@/api/enhanced";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { type ChatMessage, chatMessage, limitReached, withIdea } from "./conversation";
import { messages } from "./messages";

/**
 * Chat with the assistant, for the lifetime of its window. A message without a response goes back
 * into the input. The text of the idea is sent with one message only, and only when given here.
 */
export function useConversation() {
  const dispatch = useAppDispatch();
  const [ask, { isLoading: isWaiting }] = useAskAssistantMutation();
  const [history, setHistory] = useState<readonly ChatMessage[]>([]);
  const [draft, setDraft] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<ReturnType<typeof ask>>(undefined);

  const send = async (text: string, ideaText: string | null) => {
    const message = text.trim();
    if (message === "" || isWaiting) return;
    if (limitReached(history, withIdea(message, ideaText)) !== null) {
      setDraft(text);
      return;
    }
    setFailure(null);
    setDraft("");
    setHistory([...history, chatMessage("user", message)]);
    const call = ask({
      assistantBody: { message: withIdea(message, ideaText), conversationHistory: [...history] },
    });
    running.current = call;
    const { data, error } = await call;
    if (running.current !== call) return;
    const answer = typeof data?.response === "string" ? data.response.trim() : "";
    if (answer !== "") {
      setHistory((said) => [...said, chatMessage("assistant", answer)]);
      return;
    }
    const reason = (error && toApiError(error).detail) ?? messages.failed;
    setHistory(history);
    setDraft((meanwhile) => [message, meanwhile].filter(Boolean).join("\n"));
    setFailure(reason);
    dispatch(errorToast(reason));
  };

  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
    },
    [],
  );

  return {
    history,
    draft,
    setDraft,
    isWaiting,
    failure,
    /** Returns why a message with that text of the idea could not be sent, or null. */
    limit: (ideaText: string | null) => limitReached(history, withIdea(draft.trim(), ideaText)),
    send,
  };
}
