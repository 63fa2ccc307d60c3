import { Suspense, useState } from "react";
import type { ConfirmDialogProps } from "./ConfirmDialogWindow";
import { lazyComponent } from "./lazyComponent";
import { useIdleLoad } from "./useIdleLoad";

const Window = lazyComponent(() => import("./ConfirmDialogWindow"), "ConfirmDialogWindow");

/**
 * Asks before an action that cannot be undone; focus starts on Cancel and returns to the opener.
 * The dialog's code is fetched while the page is idle.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wanted, setWanted] = useState(false);
  if (props.open && !wanted) setWanted(true);
  useIdleLoad(Window.load);
  return <Suspense fallback={null}>{wanted && <Window {...props} />}</Suspense>;
}
