import { useEffect, useEffectEvent, useRef, useState } from "react";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";

/** Browsers report a connection a moment before requests succeed. */
const SETTLING_MS = 1_000;

interface SaveAgainProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
  readonly onSave: () => void;
}

/**
 * Saves again by itself, once, when what kept the last save from succeeding is over: the connection
 * is back, or the author has signed in again. Not lazy: it has to see that the connection is away.
 */
export function SaveAgain({ session, view, onSave }: SaveAgainProps) {
  const status = view.isDirty ? view.failure?.status : undefined;
  const saveAgain = useEffectEvent(onSave);
  const [wasOffline] = useState(() => !navigator.onLine);

  useEffect(() => {
    if (status !== 0) return;
    let waiting: number | undefined;
    const again = () => {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(() => saveAgain(), SETTLING_MS);
    };
    // It may have come back before this effect ran.
    if (wasOffline && navigator.onLine) again();
    window.addEventListener("online", again);
    return () => {
      window.clearTimeout(waiting);
      window.removeEventListener("online", again);
    };
  }, [status, wasOffline]);

  const isSignedIn = useAppSelector(selectCurrentUser)?.id === session.userId;
  const wasSignedIn = useRef(isSignedIn);
  useEffect(() => {
    if (isSignedIn && !wasSignedIn.current && status === 401) saveAgain();
    wasSignedIn.current = isSignedIn;
  }, [isSignedIn, status]);
  return null;
}
