import { useEffect, useEffectEvent, useRef } from "react";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";

interface SaveAgainProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
  readonly onSave: () => void;
}

/**
 * Saves again by itself, once, when what kept the last save from succeeding is over: the connection
 * is back, or the author has signed in again.
 */
export function SaveAgain({ session, view, onSave }: SaveAgainProps) {
  const status = view.isDirty ? view.failure?.status : undefined;
  const saveAgain = useEffectEvent(onSave);

  useEffect(() => {
    if (status !== 0) return;
    const again = () => saveAgain();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [status]);

  const isSignedIn = useAppSelector(selectCurrentUser)?.id === session.userId;
  const wasSignedIn = useRef(isSignedIn);
  useEffect(() => {
    if (isSignedIn && !wasSignedIn.current && status === 401) saveAgain();
    wasSignedIn.current = isSignedIn;
  }, [isSignedIn, status]);
  return null;
}
