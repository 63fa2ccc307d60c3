import { Sparkles } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { AssistantDocument } from "./assistantDocument";

const AssistantDialog = lazyComponent(
  () => import("./components/AssistantDialog"),
  "AssistantDialog",
);

interface WriteWithAiProps {
  readonly document: AssistantDocument;
}

/**
 * The button that opens the chat; the chat is a chunk of its own, fetched while the page is idle.
 */
export function WriteWithAi({ document }: WriteWithAiProps) {
  const [isOpen, setOpen] = useState(false);
  useIdleLoad(AssistantDialog.load);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        <Sparkles className="size-4 max-sm:hidden" aria-hidden="true" />
        Write with AI
      </Button>
      <Suspense fallback={null}>
        {isOpen && <AssistantDialog document={document} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
