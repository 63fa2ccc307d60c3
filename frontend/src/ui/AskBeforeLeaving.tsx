import type { ReactNode } from "react";
import { useBlocker } from "react-router";
import { followsLogout } from "@/routing/loggedOut";
import { ConfirmDialog } from "./ConfirmDialog";
import { useCloseWarning } from "./useCloseWarning";

interface AskBeforeLeavingProps {
  title: string;
  /** Name of the work that would be lost. */
  description: ReactNode;
}

/** Asks before the page is left or closed, as long as it is rendered. A page can have one. */
export function AskBeforeLeaving({ title, description }: AskBeforeLeavingProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !followsLogout(nextLocation),
  );
  useCloseWarning(true);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title={title}
      description={description}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
