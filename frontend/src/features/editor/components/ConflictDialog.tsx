import { lazy, Suspense } from "react";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { Conflict } from "../session/conflict";
import type { ConflictDialogProps } from "./ConflictDialogWindow";

const load = () => import("./ConflictDialogWindow");
const Window = lazy(async () => ({ default: (await load()).ConflictDialogWindow }));

interface Props extends Omit<ConflictDialogProps, "conflict"> {
  readonly conflict: Conflict | null;
}

/**
 * Asks which of two versions goes on, when the idea was saved elsewhere meanwhile. Null asks
 * nothing; the code for asking is fetched while the page is idle.
 */
export function ConflictDialog({ conflict, ...rest }: Props) {
  useIdleLoad(load);
  return (
    <Suspense fallback={null}>
      {conflict !== null && <Window conflict={conflict} {...rest} />}
    </Suspense>
  );
}
