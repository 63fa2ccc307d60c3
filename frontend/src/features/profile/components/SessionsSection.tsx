import { useRef } from "react";
import { hasFailedToDelete } from "@/api/baseApi";
import type { Session } from "@/api/generated";
import { useEndSessionMutation, useEndSessionsMutation, useListSessionsQuery } from "@/api/profile";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";
import { ListState } from "@/ui/ListState";
import { Panel } from "@/ui/Panel";
import { messages } from "../messages";

/** Sessions of the account, which can be ended. */
export function SessionsSection() {
  const dispatch = useAppDispatch();
  const sessions = useListSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [endSession, ending] = useEndSessionMutation();
  const [endOthers, endingOthers] = useEndSessionsMutation();
  // Takes focus when the focused button is removed with its row.
  const list = useRef<HTMLDivElement>(null);

  const report = (hasFailed: boolean, done: string) => {
    dispatch(hasFailed ? errorToast(messages.signOutFailed) : successToast(done));
    const { activeElement, body } = document;
    const isHere = activeElement === body || list.current?.contains(activeElement);
    if (!hasFailed && isHere) list.current?.focus();
  };
  const end = async (session: Session) =>
    report(
      hasFailedToDelete((await endSession({ id: session.id })).error),
      messages.signedOutThere,
    );
  const endAll = async () =>
    report((await endOthers()).error !== undefined, messages.signedOutElsewhere);

  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <Panel title="Where you are signed in">
        <ListState query={sessions} failedText={messages.sessionsFailed}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="No sessions to show" />
            ) : (
              <>
                <ul className="divide-y divide-line">
                  {currentFirst(rows).map((session) => (
                    <SessionRow
                      key={session.id}
                      session={session}
                      busy={ending.isLoading && ending.originalArgs?.id === session.id}
                      onEnd={end}
                    />
                  ))}
                </ul>
                {rows.some((session) => !session.current) && (
                  <div className="mt-4 border-line border-t pt-4">
                    <Button variant="secondary" busy={endingOthers.isLoading} onClick={endAll}>
                      Sign out everywhere else
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </ListState>
      </Panel>
    </div>
  );
}

const currentFirst = (sessions: readonly Session[]): Session[] =>
  [...sessions].sort((a, b) => Number(b.current) - Number(a.current));

interface SessionRowProps {
  session: Session;
  busy: boolean;
  onEnd: (session: Session) => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold">{session.browser}</span>
          {session.current && <Badge tone="success">This browser</Badge>}
        </p>
        <p className="break-words text-muted">
          Signed in <time dateTime={session.createdAt}>{formatDateTime(session.createdAt)}</time>
          {session.ip && ` from ${session.ip}`}
        </p>
        <p className="text-muted">
          {session.current ? (
            "Active now"
          ) : (
            <>
              Last seen{" "}
              <time dateTime={session.lastSeenAt}>{formatDateTime(session.lastSeenAt)}</time>
            </>
          )}
        </p>
      </div>
      {!session.current && (
        <Button variant="secondary" size="sm" busy={busy} onClick={() => onEnd(session)}>
          Sign out
          <span className="sr-only">
            {" "}
            {session.browser}, signed in {formatDateTime(session.createdAt)}
          </span>
        </Button>
      )}
    </li>
  );
}
