import { Suspense } from "react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { PromptDialogProps } from "./PromptDialogWindow";

const Window = lazyComponent(() => import("./PromptDialogWindow"), "PromptDialogWindow");

/** Dialog for one line of text; null renders none. Its code is fetched while the page is idle. */
export function PromptDialog({ question }: { question: PromptDialogProps | null }) {
  useIdleLoad(Window.load);
  return <Suspense fallback={null}>{question !== null && <Window {...question} />}</Suspense>;
}
