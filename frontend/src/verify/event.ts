/** Events of the log: what happened to an idea, in canonical JSON. */
import { bytesOf, isDigest } from "./bytes";
import { isObject, type Json, type Parsed, parseCanonical, unknownField } from "./canonical";
import { parseKey, type VerifierKey } from "./checkpoint";
import { messages } from "./messages";

const ABOUT_LOG = ["log.started", "log.resumed", "key.rotated"] as const;
const ABOUT_IDEA = [
  "revision.recorded",
  "idea.published",
  "idea.deleted",
  "share.created",
  "share.revoked",
  "agreement.offered",
  "agreement.delivered",
  "agreement.accepted",
  "agreement.declined",
  "email.confirmed",
  "view.started",
  "visit.closed",
  "file.delivered",
  "comment.added",
  "comment.changed",
  "comment.withdrawn",
  "person.erased",
] as const;

/** Events of an owner's decision about a reader. */
const DECISIONS = ["access.requested", "access.approved", "access.refused"] as const;

/** Types that version 2 of the format has first. */
const SINCE_2 = ["agreement.issued", ...DECISIONS] as const;

/** All types of events. */
export const types: readonly string[] = [...ABOUT_LOG, ...ABOUT_IDEA, ...SINCE_2];

/** Disclosures of version 1 that can have members of version 2. */
export const EXTENDED = ["agreement", "file", "person"] as const;

const IDS = ["idea", "share", "recipient", "comment", "file", "revision", "view"] as const;

const FIELDS = [
  "v",
  "log",
  "type",
  "at",
  ...IDS,
  "salt",
  "discloses",
  "vkey",
  "previous",
  "abandoned",
  "delivered",
  "download",
  "mark",
];

/** Events that happen within a view. */
const IN_VIEW = ["view.started", "file.delivered"];

/** An event. Ids are texts. */
export interface LogEvent {
  /** The first version of the format that has all that the event and its disclosures have. */
  readonly v: 1 | 2;
  readonly log: string;
  readonly type: string;
  /** When, as RFC 3339 in UTC with microseconds: such texts sort by time. */
  readonly at: string;
  readonly idea?: string;
  readonly share?: string;
  readonly recipient?: string;
  readonly revision?: string;
  readonly view?: string;
  readonly comment?: string;
  readonly file?: string;
  /** SHA-256 of each disclosure by its name. */
  readonly discloses: { readonly [name: string]: string };
  readonly vkey?: string;
  readonly previous?: { readonly log: string; readonly checkpoint: string };
  /** SHA-256 of the event that records the delivery; false: there was none. */
  readonly delivered?: string | false;
  /** Whether the document was downloaded. */
  readonly download?: true;
  /** Number of the copy that the reader is shown. */
  readonly mark?: string;
}

/** Whether an event can only be the first one of a log. */
export const beginsLog = ({ type }: LogEvent): boolean =>
  type === "log.started" || type === "log.resumed";

/** Returns the key that signs from an event on, if the event names one. */
export function keyOf({ log, vkey }: LogEvent): VerifierKey | null {
  const key = vkey === undefined ? null : parseKey(vkey);
  return key?.text === vkey && key?.origin === log ? key : null;
}

/** Parses the bytes of an event. */
export function parseEvent(bytes: Uint8Array): Parsed<LogEvent> {
  const { value, problem } = parseCanonical(bytes);
  if (problem !== undefined) return { problem };
  if (!isObject(value)) return { problem: messages.json.shape };
  const bad = badField(value);
  if (bad !== undefined) return { problem: messages.event.field(bad) };
  const event = value as unknown as LogEvent;
  const needsKey = ABOUT_LOG.some((type) => type === event.type);
  if (needsKey && !keyOf(event)) return { problem: messages.event.field("vkey") };
  return { value: event };
}

/** Returns the first field that is missing, malformed, or not of this type of event. */
function badField(event: { [key: string]: Json }): string | undefined {
  const { v, log, type, at, salt, discloses, vkey, previous, delivered } = event;
  const { download, abandoned, mark, share, recipient } = event;
  const names = isObject(discloses) ? Object.keys(discloses) : [];
  const isSince2 = SINCE_2.some((known) => known === type);
  const isDecision = DECISIONS.some((known) => known === type);
  const since = sinceOf(type, mark, names);
  const aboutLog = ABOUT_LOG.some((known) => known === type);
  const rules: [string, boolean][] = [
    ["v", v === since || (v === 2 && EXTENDED.some((name) => names.includes(name)))],
    ["log", isId(log)],
    ["type", typeof type === "string" && types.includes(type)],
    ["at", isTime(at)],
    ["salt", isSalt(salt)],
    ["idea", (event.idea !== undefined) !== aboutLog],
    ...IDS.map((id): [string, boolean] => [id, event[id] === undefined || isId(event[id])]),
    ["idea", event.idea === undefined || isIdea(event.idea)],
    ["discloses", isObject(discloses) && Object.entries(discloses).every(isDisclosed)],
    ["discloses", disclosesItsOwn(type, names)],
    ["recipient", !isSince2 || (recipient !== undefined) === isDecision],
    ["share", !isSince2 || share !== undefined],
    ["vkey", (vkey !== undefined) === aboutLog],
    ["previous", type === "log.resumed" ? isPrevious(previous, log) : previous === undefined],
    [
      "abandoned",
      abandoned === undefined || (type === "log.resumed" && isPrevious(abandoned, log)),
    ],
    ["delivered", type === "agreement.accepted" ? isDelivery(delivered) : delivered === undefined],
    ["view", (event.view !== undefined) === IN_VIEW.some((kind) => kind === type)],
    ["download", download === undefined || (download === true && type === "file.delivered")],
    ["mark", mark === undefined || (isCopyNumber(mark) && type === "view.started")],
  ];
  return rules.find(([, holds]) => !holds)?.[0] ?? unknownField(event, FIELDS);
}

/** Returns the version that has first what an event has, but for what its disclosures say. */
export const sinceOf = (type: unknown, mark: unknown, names: readonly string[]): 1 | 2 =>
  SINCE_2.some((known) => known === type) ||
  mark !== undefined ||
  names.includes("signatory") ||
  names.includes("sources")
    ? 2
    : 1;

/** Whether an event has the disclosures that belong to its type, as far as that says which. */
function disclosesItsOwn(type: Json | undefined, names: readonly string[]): boolean {
  const all = [...names].sort().join();
  if (type === "agreement.issued") return all === "agreement,signatory";
  if (type === "access.approved") return all === "" || all === "signatory,terms";
  if (SINCE_2.some((known) => known === type)) return all === "";
  const isOfRevision = type === "revision.recorded";
  return !names.includes("signatory") && (isOfRevision || !names.includes("sources"));
}

/** Whether a text can be the number of a copy. */
const isCopyNumber = (mark: Json) =>
  typeof mark === "string" && /^IVC(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/.test(mark);

const isId = (id: Json | undefined) =>
  typeof id === "string" && id.length > 0 && bytesOf(id).length <= 200 && !/\p{Control}/u.test(id);

/** Whether a text can be the number of an idea, with which `README.txt` begins. */
const isIdea = (idea: Json | undefined) =>
  typeof idea === "string" && /^[A-Za-z0-9-]{1,64}$/.test(idea);

const isDisclosed = ([name, digest]: [string, Json]) => isDisclosureName(name) && isDigest(digest);

const isDelivery = (delivered: Json | undefined) => delivered === false || isDigest(delivered);

const isPrevious = (previous: Json | undefined, log: Json | undefined) =>
  isObject(previous) &&
  isId(previous.log) &&
  previous.log !== log &&
  isDigest(previous.checkpoint) &&
  unknownField(previous, ["log", "checkpoint"]) === undefined;

/** Whether a text is a time as events have it. */
function isTime(text: Json | undefined): boolean {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text))
    return false;
  const milliseconds = `${text.slice(0, 23)}Z`;
  const time = new Date(milliseconds);
  return !Number.isNaN(time.getTime()) && time.toISOString() === milliseconds;
}

/** Whether a text is a salt of 32 bytes, in base64 of URLs without padding. */
export const isSalt = (text: unknown): boolean =>
  typeof text === "string" && /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(text);

/** Whether a text can be the name of a disclosure. */
export const isDisclosureName = (text: string): boolean => /^[a-z]{1,32}$/.test(text);
