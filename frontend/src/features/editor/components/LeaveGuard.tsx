import { useEffect } from "react";
import { useBlocker } from "react-router";
import { paths } from "@/app/paths";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import type { DocumentSession } from "../session/documentSession";

interface LeaveGuardProps {
  readonly session: DocumentSession;
  readonly isDirty: boolean;
}

/** Asks before unsaved changes are left behind, in the app and when the page is closed. */
export function LeaveGuard({ session, isDirty }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (currentLocation.pathname === nextLocation.pathname) return false;
    session.settle();
    const { idea, isDirty: isDirtyNow } = session.getView();
    // An idea that was just created moves to its own address with the editor.
    const isOwnAddress = idea !== null && nextLocation.pathname === paths.editor(idea.id);
    return isDirtyNow && !isOwnAddress;
  });

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);

  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description="Your changes are not saved. They stay in this browser until you log out, and you can restore them when you open this idea again."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
