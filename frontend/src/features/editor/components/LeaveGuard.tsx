import { Suspense, useEffect } from "react";
import { useBlocker } from "react-router";
import { followsLogout } from "@/routing/loggedOut";
import { paths } from "@/routing/paths";
import { registerUnsavedWork } from "@/store/unsavedWork";
import { useCloseWarning } from "@/ui/useCloseWarning";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";
import { LeaveDialog } from "./lazyDialogs";

interface LeaveGuardProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
}

/** Asks before navigating away from unsaved changes or closing the page. */
export function LeaveGuard({ session, view: { isDirty, isDraftKept, uploads } }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (currentLocation.pathname === nextLocation.pathname) return false;
    if (followsLogout(nextLocation)) return false;
    session.flushDraft();
    const { idea, isDirty: isDirtyNow } = session.getView();
    // An idea that was just created moves to its own address with the editor.
    const isOwnAddress = idea !== null && nextLocation.pathname === paths.editor(idea.id);
    return isDirtyNow && !isOwnAddress;
  });

  useCloseWarning(isDirty);

  useEffect(
    () =>
      registerUnsavedWork(() => {
        session.flushDraft();
        return session.getView().isDirty;
      }),
    [session],
  );

  // The work in question has been saved meanwhile.
  useEffect(() => {
    if (blocker.state === "blocked" && !isDirty) blocker.proceed();
  }, [blocker, isDirty]);

  return (
    <Suspense fallback={null}>
      {blocker.state === "blocked" && (
        <LeaveDialog
          isUploading={uploads > 0}
          isDraftKept={isDraftKept}
          onStay={blocker.reset}
          onLeave={blocker.proceed}
        />
      )}
    </Suspense>
  );
}
