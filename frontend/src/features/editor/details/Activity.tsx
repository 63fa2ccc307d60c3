/** Three lists derived from the activity of recipients. */

import { useListIdeaActivityQuery } from "@/api/enhanced";
import type { Activity } from "@/api/generated";
import { agreementUrl } from "@/sharing/agreement";
import { confirmationLabel } from "@/sharing/identity";
import { readerActs } from "@/sharing/readerActs";
import { shareTypeLabel } from "@/sharing/shareTypes";
import { isClosed, isPast, lastClosings } from "@/sharing/viewEnds";
import { Badge, type BadgeTone } from "@/ui/Badge";
import { formatDateTime, formatDateTimeSeconds } from "@/ui/dates";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "./messages";
import { RecordHash } from "./RecordHash";
import { RecordList } from "./RecordList";
import { type RecipientRecord, recipientsOf } from "./recipients";

const stages: Record<RecipientRecord["stage"], { label: string; tone: BadgeTone }> = {
  registered: { label: "Registered", tone: "neutral" },
  declined: { label: "Declined", tone: "neutral" },
  agreed: { label: "Agreed", tone: "warning" },
  viewed: { label: "Opened", tone: "success" },
  closed: { label: "Closed", tone: "neutral" },
};

/** Recipients, and the stage that each has reached. */
export function Recipients({ ideaId }: { ideaId: number }) {
  const query = useActivity(ideaId);
  return (
    <RecordList
      query={{ ...query, data: query.data && recipientsOf(query.data) }}
      failedText={messages.activityFailed}
      emptyText={messages.recipients.empty}
      keyOf={({ recipient }) => recipient.id}
    >
      {({ recipient, shareType, stage, since }) => (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-semibold">{recipient.name}</span>
            <Badge tone={stages[stage].tone}>{stages[stage].label}</Badge>
          </p>
          <p className="text-muted">
            {[recipient.erased ? null : recipient.email, recipient.phone, shareTypeLabel(shareType)]
              .filter(Boolean)
              .join(" · ")}
          </p>
          <p className="text-muted">{confirmationLabel(recipient) ?? "Email not confirmed"}</p>
          <p className="text-muted">
            <time dateTime={since}>{formatDateTime(since)}</time>
          </p>
        </>
      )}
    </RecordList>
  );
}

/** Accepted agreements, with their text and time. */
export function Agreements({ ideaId }: { ideaId: number }) {
  const query = useActivity(ideaId);
  return (
    <RecordList
      query={{ ...query, data: query.data?.filter((entry) => entry.type === "agreed") }}
      failedText={messages.activityFailed}
      emptyText={messages.agreements.empty}
      keyOf={({ id }) => id}
    >
      {({ recipient, at, ndaVersion, ndaSha256, revision, revisionSha256, ip, ...agreed }) => (
        <>
          <Who recipient={recipient} />
          <p className="text-muted">
            <time dateTime={at}>{formatDateTimeSeconds(at)}</time>
            {ip && ` from ${ip}`}
          </p>
          <p className="text-muted">{confirmationLabel(agreed)}</p>
          <dl className="mt-1 flex flex-wrap gap-x-6 text-muted">
            {ndaSha256 && (
              <Fingerprint
                name={`NDA ${ndaVersion}`}
                value={ndaSha256}
                of={`the agreement that ${recipient.name} accepted`}
              />
            )}
            <Fingerprint
              name={`Version ${revision}`}
              value={revisionSha256}
              of={`the version when ${recipient.name} accepted`}
            />
          </dl>
          {ndaSha256 && (
            <p className="mt-1">
              <a href={agreementUrl(recipient.id)} download className={textLinkStyles}>
                Download the agreement<span className="sr-only"> with {recipient.name}</span>
              </a>
            </p>
          )}
        </>
      )}
    </RecordList>
  );
}

/** Views, with time and duration. */
export function Views({ ideaId }: { ideaId: number }) {
  const query = useActivity(ideaId);
  const closings = lastClosings(query.data ?? []);
  return (
    <RecordList
      query={{ ...query, data: query.data?.filter((entry) => entry.type === "viewed") }}
      failedText={messages.activityFailed}
      emptyText={messages.views.empty}
      keyOf={({ id }) => id}
    >
      {(view) => {
        const { recipient, at, endsAt, revision, revisionSha256 } = view;
        return (
          <>
            <Who recipient={recipient} />
            <p className="text-muted">
              <time dateTime={at}>{formatDateTimeSeconds(at)}</time>
              {endsAt && !isClosed(view, closings) && (
                <>
                  , {isPast(endsAt) ? "was open" : "open"} until{" "}
                  <time dateTime={endsAt}>{formatDateTimeSeconds(endsAt)}</time>
                </>
              )}
            </p>
            <dl className="mt-1 text-muted">
              <Fingerprint
                name={`Version ${revision}`}
                value={revisionSha256}
                of={`the version that ${recipient.name} ${readerActs.opened}`}
              />
            </dl>
          </>
        );
      }}
    </RecordList>
  );
}

const useActivity = (ideaId: number) =>
  useListIdeaActivityQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });

function Who({ recipient: { name, email, erased } }: { recipient: Activity["recipient"] }) {
  return (
    <p>
      <span className="font-semibold">{name}</span>{" "}
      {!erased && <span className="text-muted">{email}</span>}
    </p>
  );
}

function Fingerprint({ name, value, of }: { name: string; value: string; of: string }) {
  return (
    <div className="flex items-center gap-2">
      <dt>{name}</dt>
      <dd>
        <RecordHash value={value} of={of} />
      </dd>
    </div>
  );
}
