import { lazy, Suspense } from "react";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { PromptDialogProps } from "./PromptDialogWindow";

const load = () => import("./PromptDialogWindow");
const Window = lazy(async () => ({ default: (await load()).PromptDialogWindow }));

/** Dialog for one line of text; null renders none. Its code is fetched while the page is idle. */
export function PromptDialog({ question }: { question: PromptDialogProps | null }) {
  useIdleLoad(load);
  return <Suspense fallback={null}>{question !== null && <Window {...question} />}</Suspense>;
}
