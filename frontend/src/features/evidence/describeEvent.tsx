/** Events as sentences. */
import {
  AtSign,
  BookmarkCheck,
  BookOpen,
  Eraser,
  FileDown,
  FilePlus2,
  Hand,
  Hourglass,
  KeyRound,
  Landmark,
  Link2,
  Link2Off,
  LogOut,
  type LucideIcon,
  MessageSquareDiff,
  MessageSquareOff,
  MessageSquareText,
  ScrollText,
  Shredder,
  Signature,
  UserCheck,
  UserX,
} from "lucide-react";
import type { ReactNode } from "react";
import type { EvidenceEvent } from "@/api/evidence";
import type { EventKind } from "@/api/generated";
import { readerActs } from "@/sharing/readerActs";
import { shareTypeLabel } from "@/sharing/shareTypes";
import { messages } from "./messages";

interface EventDescription {
  Icon: LucideIcon;
  /** Whether it stands out; the steps between take one line. */
  isMajor?: boolean;
  sentence: ReactNode;
}

type Describe = (event: EvidenceEvent) => EventDescription;

const descriptions: Readonly<Record<EventKind, Describe>> = {
  "revision.recorded": (event) => ({
    Icon: BookmarkCheck,
    isMajor: true,
    sentence: <>{version(event)} was put on record.</>,
  }),
  "idea.published": (event) => ({
    Icon: Landmark,
    isMajor: true,
    sentence: (
      <>The idea was published{event.revision === null ? "" : <> as {version(event, false)}</>}.</>
    ),
  }),
  "idea.deleted": () => ({ Icon: Shredder, sentence: <>The draft was deleted.</> }),
  "share.created": (event) => ({
    Icon: Link2,
    sentence: event.email ? (
      <>
        The idea was shared with <Bold>{event.email}</Bold>.
      </>
    ) : (
      <>
        The idea was shared by {link(event, false)}
        {stopAfter(event.shareName)}
      </>
    ),
  }),
  "share.revoked": (event) => ({
    Icon: Link2Off,
    sentence: <>{link(event)} was revoked.</>,
  }),
  "agreement.offered": (event) => ({
    Icon: FilePlus2,
    sentence: (
      <>
        {person(event)} {readerActs.offered}.
      </>
    ),
  }),
  "agreement.delivered": (event) => ({
    Icon: ScrollText,
    sentence: <>{person(event)} was sent the text of the agreement.</>,
  }),
  "agreement.accepted": (event) => ({
    Icon: Signature,
    isMajor: true,
    sentence: (
      <>
        {person(event)} {readerActs.accepted}
        {event.revision !== null && <> for {version(event, false)}</>}.
      </>
    ),
  }),
  "agreement.declined": (event) => ({
    Icon: Hand,
    isMajor: true,
    sentence: (
      <>
        {person(event)} {readerActs.declined}.
      </>
    ),
  }),
  "agreement.issued": (event) => ({
    Icon: Signature,
    isMajor: true,
    sentence: <>You accepted the agreement of {link(event, false)} towards all its readers.</>,
  }),
  "access.requested": (event) => ({
    Icon: Hourglass,
    sentence: <>{person(event)} asked to read the document.</>,
  }),
  "access.approved": (event) => ({
    Icon: UserCheck,
    isMajor: true,
    sentence: <>You let {person(event)} read.</>,
  }),
  "access.refused": (event) => ({
    Icon: UserX,
    isMajor: true,
    sentence: <>You declined the request of {person(event)}.</>,
  }),
  "email.confirmed": (event) => ({
    Icon: AtSign,
    sentence: (
      <>
        {person(event)} confirmed the address{event.email ? <Bold> {event.email}</Bold> : ""} by a
        code.
      </>
    ),
  }),
  "view.started": (event) => ({
    Icon: BookOpen,
    isMajor: true,
    sentence: (
      <>
        {person(event)} {readerActs.opened}{" "}
        {event.revision === null ? "the idea" : version(event, false)}.
      </>
    ),
  }),
  "visit.closed": (event) => ({
    Icon: LogOut,
    sentence: (
      <>
        {person(event)} {readerActs.closed}.
      </>
    ),
  }),
  "file.delivered": (event) => ({
    Icon: FileDown,
    sentence: (
      <>
        {person(event)}{" "}
        {event.revision === null ? (
          <>
            {isDownload(event) ? readerActs.downloaded : "received"} {fileName(event)}
          </>
        ) : (
          <>was shown the edited {version(event, false)}</>
        )}
        .
      </>
    ),
  }),
  "comment.added": (event) => ({
    Icon: MessageSquareText,
    sentence: <>{person(event)} commented.</>,
  }),
  "comment.changed": (event) => ({
    Icon: MessageSquareDiff,
    sentence: <>{person(event)} changed a comment.</>,
  }),
  "comment.withdrawn": (event) => ({
    Icon: MessageSquareOff,
    sentence: <>{person(event)} withdrew a comment.</>,
  }),
  "person.erased": () => ({
    Icon: Eraser,
    sentence: <>The personal details of a reader were erased.</>,
  }),
  "key.rotated": () => ({ Icon: KeyRound, sentence: <>The log got a new key.</> }),
  "log.started": () => ({ Icon: KeyRound, sentence: <>The log began.</> }),
  "log.resumed": () => ({
    Icon: KeyRound,
    sentence: <>Recording had stopped and began again, in a new log.</>,
  }),
};

/** Describes an event. One of a kind that is newer than this page is named by its type. */
export function describeEvent(event: EvidenceEvent): EventDescription {
  const describe: Describe | undefined = descriptions[event.type];
  return describe?.(event) ?? { Icon: ScrollText, sentence: <Bold>{event.type}</Bold> };
}

/** Returns further facts of an event: its reader's address, and what the sentence leaves out. */
export function detailsOf(event: EvidenceEvent): string[] {
  const { type, recipient, email, shareName, shareType, facts } = event;
  const link = shareType && (shareName ?? shareTypeLabel(shareType));
  const { agreement, origin, content } = facts;
  const details: Readonly<Partial<Record<EventKind, readonly unknown[]>>> = {
    "revision.recorded": [content?.title],
    "share.created": [shareType && shareTypeLabel(shareType)],
    "share.revoked": [shareName === null && link],
    "agreement.offered": [link],
    "agreement.accepted": [
      agreement && `${agreement.template} ${agreement.version}`,
      origin && `from ${origin.address}`,
    ],
    "agreement.declined": [link],
    "view.started": [link],
  };
  const address = recipient !== null && type !== "email.confirmed" && email;
  return [address, ...(details[type] ?? [])].filter((detail) => typeof detail === "string");
}

/** Names, isolated from the sentence's direction. */
function Bold({ children }: { children: ReactNode }) {
  return (
    <strong className="font-semibold">
      <bdi>{children}</bdi>
    </strong>
  );
}

function person({ name, facts, recipient, isDamaged }: EvidenceEvent): ReactNode {
  const known = name ?? facts.person?.name ?? facts.comment?.author;
  if (typeof known === "string") return <Bold>{known}</Bold>;
  if (recipient === null) return messages.timeline.you;
  if (!isDamaged) return messages.timeline.erased;
  return (
    <>
      {messages.timeline.aReader} <span className="text-muted">({messages.timeline.damaged})</span>
    </>
  );
}

/** Returns the full stop after a name; a name that ends with one, such as "Presses Ltd.", has it. */
const stopAfter = (name: string | null) => (name?.endsWith(".") ? "" : ".");

function version({ revision }: EvidenceEvent, isFirst = true): ReactNode {
  if (revision === null) return isFirst ? "A version" : "a version";
  return (
    <strong className="font-semibold">
      {isFirst ? "Version" : "version"} {revision}
    </strong>
  );
}

function link({ shareName }: EvidenceEvent, isFirst = true): ReactNode {
  if (shareName === null) return isFirst ? "A link" : "a link";
  return (
    <>
      {isFirst ? "The" : "the"} link <Bold>{shareName}</Bold>
    </>
  );
}

/** In canonical JSON, this text can only be the field. */
const isDownload = ({ body }: EvidenceEvent) => body.includes('"download":true');

function fileName({ facts }: EvidenceEvent): ReactNode {
  const name = facts.file?.name;
  return typeof name === "string" ? <Bold>{name}</Bold> : "a file of the idea";
}
