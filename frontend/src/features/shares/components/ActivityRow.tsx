import {
  Ban,
  DoorClosed,
  Download,
  Eye,
  type LucideIcon,
  PenLine,
  UserRoundCheck,
} from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { Activity } from "@/api/generated";
import { agreementUrl } from "@/sharing/agreement";
import { confirmationLabel } from "@/sharing/identity";
import { readerActs } from "@/sharing/readerActs";
import { shareTypeLabel } from "@/sharing/shareTypes";
import { isPast } from "@/sharing/viewEnds";
import { formatDateTime } from "@/ui/dates";
import { focusIfLost } from "@/ui/focusIfLost";
import { Hash } from "@/ui/Hash";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";
import { ErasePerson } from "./ErasePerson";

const kinds: Record<Activity["type"], { Icon: LucideIcon; verb: string }> = {
  registered: { Icon: UserRoundCheck, verb: readerActs.offered },
  agreed: { Icon: PenLine, verb: `${readerActs.accepted} for` },
  viewed: { Icon: Eye, verb: readerActs.opened },
  declined: { Icon: Ban, verb: readerActs.declined },
  closed: { Icon: DoorClosed, verb: readerActs.closed },
  downloaded: { Icon: Download, verb: `${readerActs.downloaded} the document` },
};

interface ActivityRowProps {
  ideaId: number;
  entry: Activity;
  /** Whether its recipient has closed the document, which ends a view early. */
  isClosed: boolean;
}

/** One activity: who, what, when, and the hashes that tie it to a text. */
export function ActivityRow({ ideaId, entry, isClosed }: ActivityRowProps) {
  const { Icon, verb } = kinds[entry.type];
  const { name, email, erased } = entry.recipient;
  // Takes focus when the button that had it goes with the person.
  const row = useRef<HTMLLIElement>(null);
  const wasErased = useRef(erased);
  useEffect(() => {
    if (erased && !wasErased.current) focusIfLost(row.current);
    wasErased.current = erased;
  }, [erased]);
  return (
    <li ref={row} tabIndex={-1} className="flex gap-3 outline-none">
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon className="size-4" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-col justify-between gap-x-4 sm:flex-row">
          <span className="min-w-0">
            <span className="font-semibold">{name}</span> {verb}
            {"revision" in entry && ` version ${entry.revision}`}
          </span>
          <time dateTime={entry.at} className="shrink-0 text-muted">
            {formatDateTime(entry.at)}
          </time>
        </p>
        <p className="text-muted">
          {erased ? messages.erasure.erased : email} ·{" "}
          {entry.shareName ?? shareTypeLabel(entry.shareType)}
        </p>
        <ActivityFacts ideaId={ideaId} entry={entry} isClosed={isClosed} />
      </div>
    </li>
  );
}

function ActivityFacts({ ideaId, entry, isClosed }: ActivityRowProps) {
  if (entry.type === "registered") {
    return (
      <>
        <p className="text-muted">{confirmationLabel(entry.recipient)}</p>
        {!entry.recipient.erased && <ErasePerson ideaId={ideaId} person={entry.recipient} />}
      </>
    );
  }
  if (entry.type === "agreed") {
    return (
      <>
        <p className="text-muted">{confirmationLabel(entry)}</p>
        <Evidence>
          NDA {entry.ndaVersion} {entry.ndaSha256 && <Hash value={entry.ndaSha256} />}, version{" "}
          {entry.revision} <Hash value={entry.revisionSha256} />
          {entry.ip && `, from ${entry.ip}`}
        </Evidence>
        {entry.ndaSha256 && (
          <p>
            <a
              href={agreementUrl(entry.recipient.id)}
              download
              className={`inline-block py-1 ${textLinkStyles}`}
            >
              Download the agreement
              <span className="sr-only"> with {entry.recipient.name}</span>
            </a>
          </p>
        )}
      </>
    );
  }
  if (entry.type === "viewed") {
    return (
      <>
        {entry.endsAt && !isClosed && (
          <p className="text-muted">
            {isPast(entry.endsAt) ? "Was open" : "Open"} until {formatDateTime(entry.endsAt)}
          </p>
        )}
        <Evidence>
          Version {entry.revision} <Hash value={entry.revisionSha256} />
        </Evidence>
      </>
    );
  }
  if (entry.type === "declined" && entry.reason) {
    return <p className="wrap-anywhere">“{entry.reason}”</p>;
  }
  return null;
}

/** Fingerprints, which are rarely looked at. */
function Evidence({ children }: { children: ReactNode }) {
  return (
    <details className="text-muted">
      <summary className="min-h-11 cursor-pointer content-center md:min-h-6">Fingerprints</summary>
      <p>{children}</p>
    </details>
  );
}
