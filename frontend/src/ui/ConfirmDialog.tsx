import { lazy, Suspense, useState } from "react";
import type { ConfirmDialogProps } from "./ConfirmDialogWindow";
import { useIdleLoad } from "./useIdleLoad";

const load = () => import("./ConfirmDialogWindow");
const Window = lazy(async () => ({ default: (await load()).ConfirmDialogWindow }));

/**
 * Asks before something that cannot be undone; focus starts on the way out and returns to what
 * opened the question. Its code is fetched while the page is idle.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wanted, setWanted] = useState(false);
  if (props.open && !wanted) setWanted(true);
  useIdleLoad(load);
  return <Suspense fallback={null}>{wanted && <Window {...props} />}</Suspense>;
}
