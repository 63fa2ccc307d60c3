import { Sparkles } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "./messages";

const load = () => import("./components/AssistantDialog");
const AssistantDialog = lazy(async () => ({ default: (await load()).AssistantDialog }));

interface WriteWithAiProps {
  /** What to talk about from the start; blank starts with an empty chat. */
  readInitialText: () => string;
}

/** The button and, behind it, the chat: in a chunk of its own, fetched while the page is idle. */
export function WriteWithAi({ readInitialText }: WriteWithAiProps) {
  const [initialText, setInitialText] = useState<string | null>(null);
  useIdleLoad(load);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setInitialText(readInitialText())}>
        <Sparkles className="size-4 max-sm:hidden" aria-hidden="true" />
        {messages.open}
      </Button>
      <Suspense fallback={null}>
        {initialText !== null && (
          <AssistantDialog initialText={initialText} onClose={() => setInitialText(null)} />
        )}
      </Suspense>
    </>
  );
}
