import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useAppDispatch } from "@/store/hooks";
import { toastShown } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { useCopy } from "@/ui/useCopy";
import { answersOf, type ChatMessage } from "../conversation";
import { messages } from "../messages";

/** Copies all responses of the assistant. */
export function CopyAll({ history }: { history: readonly ChatMessage[] }) {
  const dispatch = useAppDispatch();
  const { copied, copy } = useCopy();
  const [said, setSaid] = useState("");

  const tryToCopy = async (text: string) => {
    if (text === "") return messages.nothingToCopy;
    return (await copy(text)) ? messages.copiedToast : messages.copyFailed;
  };
  const copyAnswers = async () => {
    const outcome = await tryToCopy(answersOf(history));
    setSaid(`${outcome.title} ${outcome.description}`);
    dispatch(toastShown(outcome));
  };

  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button variant="secondary" size="sm" onClick={copyAnswers}>
        <Icon className="size-4" aria-hidden="true" />
        {copied ? messages.copied : messages.copyAll}
      </Button>
      {/* Screen readers do not announce the toast, which is outside the open dialog. */}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
