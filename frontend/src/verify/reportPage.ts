/**
 * The report in a bundle: what the events say, in sentences, for people. Nobody signs it: it follows
 * from the other files, byte for byte (docs/evidence.md, "The report").
 */
import type { Bytes } from "./bytes";
import type { Checkpoint } from "./checkpoint";
import type { Facts } from "./contents";
import type { LogEvent } from "./event";
import type { Log } from "./log";
import { type DisclosedFacts, told } from "./names";
import { isAround } from "./readme";

/** SHA-256 of what all reports begin with. */
export const REPORT_BEGINNING = "d13c71ee00893e2c2ab2981fe38f507c47ef74a5d8e69eba59b833be0e0a85dd";

/** How much a bundle lacks, by each list of `bundle.json`. */
interface Lacking {
  readonly withheld: number;
  readonly missing: number;
  readonly pending: number;
}

/** What a report follows from. */
export interface Told extends Lacking {
  /** Number of the idea. */
  readonly idea: string;
  /** All logs, oldest first. */
  readonly logs: readonly ToldLog[];
  /** Those that the newest one vouches for, itself included, oldest first. */
  readonly chain: readonly ToldLog[];
  readonly facts: DisclosedFacts;
  /** Whether the bundle has a file. */
  readonly has: (path: string) => boolean;
}

interface ToldLog extends Pick<Log, "prefix" | "events"> {
  readonly checkpoint: Pick<Checkpoint, "origin" | "size">;
}

/** An event, with what a disclosure of it says. */
interface Line {
  readonly log: ToldLog;
  readonly place: number;
  readonly digest: string;
  readonly event: LogEvent;
  readonly fact: (name: string) => Facts | undefined;
}

/** Whether a file is the report on the other files. */
export const isReportPage = (file: Bytes, bundle: Told): Promise<boolean> =>
  isAround(file, "", REPORT_BEGINNING, reportEnding(bundle));

/** Returns what the report says below the text that is the same in all bundles. */
export function reportEnding({ idea, logs, chain, facts, has, ...lacking }: Told): string {
  const lines = logs.flatMap((log) =>
    [...log.events].map(([place, { event, digest }]): Line => {
      const fact = (name: string) => told(facts, event, name);
      return { log, place, digest, event, fact };
    }),
  );
  const readers = [...groupsOf(lines, "recipient")].map(([id, own], index) => {
    const person = lastOf(own, "person");
    return { id, own, person, name: person ? quoted(person.name) : `Reader ${index + 1}` };
  });
  const names = new Map(readers.map(({ id, name }) => [id, name]));
  const links = new Map(
    [...groupsOf(lines, "share").keys()].map((id, index) => [id, `link ${index + 1}`]),
  );
  const content = lastOf(lines, "content");
  const { origin, size } = logs.at(-1)?.checkpoint ?? { origin: "", size: 0 };
  const all = [
    "<dl>",
    `<dt>Idea</dt><dd>${content ? quoted(content.title) : "not told here"}, number ${typed(idea)}</dd>`,
    `<dt>Owner</dt><dd>${content ? quoted(content.creator) : "not told here"}</dd>`,
    `<dt>Log</dt><dd>${typed(origin)}, ${size} events</dd>`,
    `<dt>Told here</dt><dd>${lines.length} events; the numbers between are those of other ideas, or not part of this bundle</dd>`,
    `<dt>Listed as left out</dt><dd>${leftOut(lacking)}</dd>`,
    "</dl>",
    "<h2>Readers</h2>",
    ...(readers.length === 0
      ? ["<p>None are recorded here.</p>"]
      : [
          "<table><thead><tr><th>Reader</th><th>Agreed</th><th>Opened</th></tr></thead><tbody>",
          ...readers.map(({ own, person, name }) => rowOf(name, person, own, has)),
          "</tbody></table>",
        ]),
    "<h2>What happened</h2>",
    "<ol>",
    ...lines.map((line) => itemOf(line, sentenceOf(line, names, links), chain.includes(line.log))),
    "</ol>",
  ];
  return `${all.join("\n")}\n`;
}

const leftOut = ({ withheld, missing, pending }: Lacking): string =>
  withheld + missing + pending === 0
    ? "nothing"
    : `${withheld} facts that the holder does not get or that were erased, ${missing} files that the vault has lost or has elsewhere, ${pending} events that had no place yet`;

/** Returns the lines of each reader or link, in the order of the first ones. */
function groupsOf(lines: readonly Line[], field: "recipient" | "share"): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const id = line.event[field];
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(line);
    else groups.set(id, [line]);
  }
  return groups;
}

const lastOf = (lines: readonly Line[], name: string): Facts | undefined =>
  lines.map(({ fact }) => fact(name)).findLast((facts) => facts !== undefined);

/** Tells of a reader in a row: who agreed to what, and opened what. */
function rowOf(
  name: string,
  person: Facts | undefined,
  own: readonly Line[],
  has: Told["has"],
): string {
  const agreed = own.flatMap((line) => {
    const { type, at } = line.event;
    if (type === "agreement.accepted") return `${timeOf(at)}: ${agreementOf(line)}`;
    return type === "agreement.declined" ? `${timeOf(at)}: declined` : [];
  });
  const texts = own
    .filter(({ fact }) => fact("terms"))
    .map(({ log, place }) => `${log.prefix}agreements/${place}.txt`)
    .filter(has)
    .map((path) => `text: ${path}`);
  const opened = new Map<string, string>();
  for (const { event } of own) {
    const version = versionOf(event);
    // An edited version is shown within a view.
    const isShown =
      event.type === "view.started" ||
      (event.type === "file.delivered" && event.revision !== undefined);
    if (!isShown || opened.has(version)) continue;
    opened.set(version, `${timeOf(event.at)}: ${version}`);
  }
  const cells = [
    person ? [name, ...roleOf(person), marked(person.email), howKnown(person)] : [name],
    [...orNo(agreed), ...texts],
    orNo([...opened.values()]),
  ];
  return `<tr>${cells.map((parts) => `<td>${parts.join("<br>")}</td>`).join("")}</tr>`;
}

/** Tells a role in a company, if there is one. */
const roleOf = ({ role, company }: Facts): readonly string[] =>
  role === undefined ? [] : [`${quoted(role)} of ${quoted(company)}`];

function howKnown({ identity, provider }: Facts): string {
  if (provider !== undefined) return `address confirmed by ${marked(provider)}`;
  return identity === "email-confirmed" ? "address confirmed" : "address not confirmed";
}

const orNo = (parts: readonly string[]): readonly string[] => (parts.length > 0 ? parts : ["no"]);

function itemOf(
  { log, place, digest, event }: Line,
  sentence: string,
  isConfirmed: boolean,
): string {
  const folder = log.prefix && ` of ${log.prefix.slice(0, -1)}`;
  const doubt = isConfirmed ? "" : ", not confirmed by the newest log";
  return `<li><time>${timeOf(event.at)}</time>${sentence}<small>No. ${place}${folder}, SHA-256 ${digest}${doubt}</small></li>`;
}

/**
 * Tells an event in a sentence.
 * @param names Of readers, by id.
 * @param links By id.
 */
function sentenceOf(
  line: Line,
  names: ReadonlyMap<string, string>,
  links: ReadonlyMap<string, string>,
): string {
  const { event, fact } = line;
  const author = fact("comment")?.author;
  const other = author === undefined ? "the owner" : quoted(author);
  const who = names.get(event.recipient ?? "") ?? other;
  const link = links.get(event.share ?? "") ?? "a link";
  const version = versionOf(event);
  const isOfVersion = event.revision !== undefined;
  const { name, original } = fact("file") ?? {};
  const copied = original === undefined ? "" : ", a marked copy";
  const file = name === undefined ? "a file of the idea" : quoted(name) + copied;
  const signatory = fact("signatory");
  const signer = signatory ? quoted(signatory.name) : "the owner";
  const by = fact("person")?.provider;
  const provider = by === undefined ? "a code" : marked(by);
  const role = roleOf(signatory ?? fact("person") ?? {})
    .map((told) => ` as ${told}`)
    .join("");
  const isSigned = Object.hasOwn(event.discloses, "signatory");
  const signed = isSigned ? ` and accepted the agreement${role}` : "";
  const received = `${who} ${event.download ? "downloaded" : "was sent"} ${file}.`;
  const sentences: Readonly<Record<string, string>> = {
    "log.started": "The log began.",
    "log.resumed": "Recording had stopped and began again, in a new log.",
    "key.rotated": "The log got a new key.",
    "revision.recorded": `${version} was put on record.`,
    "idea.published": `The idea was published as ${version}.`,
    "idea.deleted": "The draft was deleted.",
    "share.created": `${link} was made.`,
    "share.revoked": `${link} was revoked.`,
    "agreement.offered": `${who} was offered ${agreementOf(line)} by ${link}.`,
    "agreement.delivered": `${who} was sent the text of the agreement.`,
    "agreement.accepted": `${who} accepted ${agreementOf(line)}${role}${isOfVersion ? ` for ${version}` : ""}.`,
    "agreement.declined": `${who} declined the agreement.`,
    "email.confirmed": `${who} confirmed the address by ${provider}.`,
    "agreement.issued": `${signer} accepted ${agreementOf(line)}${role} towards all readers of ${link}.`,
    "access.requested": `${who} asked to read the document.`,
    "access.approved": `${signer} let ${who} read${signed}.`,
    "access.refused": `the owner declined the request of ${who}.`,
    "view.started": `${who} opened ${version}${event.mark === undefined ? "" : `, copy ${event.mark}`}.`,
    "visit.closed": `${who} closed the document.`,
    "file.delivered": isOfVersion ? `${who} was shown the edited ${version}.` : received,
    "comment.added": `${who} commented.`,
    "comment.changed": `${who} changed a comment.`,
    "comment.withdrawn": `${who} withdrew a comment.`,
    "person.erased": `The personal details of ${who} were erased.`,
  };
  const sentence = sentences[event.type] ?? "";
  const origin = fact("origin");
  return [
    sentence.charAt(0).toUpperCase() + sentence.slice(1),
    event.delivered === false
      ? " The vault has no record that its text was sent to the reader."
      : "",
    origin ? ` From the network address ${marked(origin.address)}.` : "",
  ].join("");
}

const versionOf = ({ revision }: LogEvent): string =>
  revision === undefined ? "a version" : `version ${typed(revision)}`;

function agreementOf({ fact }: Line): string {
  const agreement = fact("agreement");
  if (!agreement) return "the agreement";
  const kind = agreement.kind === "mutual" ? "mutual agreement" : "agreement";
  return `the ${kind} ${quoted(`${agreement.template} ${agreement.version}`)}`;
}

/** Writes `YYYY-MM-DD hh:mm:ss`. */
const timeOf = (at: string): string => at.slice(0, 19).replace("T", " ");

const quoted = (text: unknown): string => `"${marked(text)}"`;
const marked = (text: unknown): string => `<bdi>${typed(text)}</bdi>`;

/** Characters of the longest text that is told: many events can name one. */
const LONGEST = 500;

/** Writes what somebody typed so that it cannot pass for words of the report, nor hide any. */
const typed = (text: unknown): string =>
  shortened(String(text))
    .replace(/["\u201c-\u201f\u00ab\u00bb\uff02]/g, "'")
    .replace(
      /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
      "\ufffd",
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const letters = [...text.slice(0, 2 * LONGEST + 2)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
}
