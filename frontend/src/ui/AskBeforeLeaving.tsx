import { type ReactNode, useEffect } from "react";
import { useBlocker } from "react-router";
import { followsLogout } from "@/routing/loggedOut";
import { ConfirmDialog } from "./ConfirmDialog";

interface AskBeforeLeavingProps {
  title: string;
  /** What would be lost. */
  description: ReactNode;
}

/** Asks before the page is left or closed, as long as it is rendered. A page can have one. */
export function AskBeforeLeaving({ title, description }: AskBeforeLeavingProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !followsLogout(nextLocation),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
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
