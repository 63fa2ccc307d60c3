/** Which file may have which name: that follows from what events and disclosures say. */
import { isObject } from "./canonical";
import type { Disclosed } from "./disclosure";
import type { LogEvent } from "./event";
import { endingOf, FILE_ID } from "./layout";
import type { Log } from "./log";

/** Disclosures that hold, with their names and paths, by digest. */
export type DisclosedFacts = Map<string, Disclosed & { name: string; path: string }>;

/** Returns what a disclosure of an event says, if it is there and holds. */
export function told(facts: DisclosedFacts, event: LogEvent, name: string) {
  const disclosed = facts.get(event.discloses[name] ?? "");
  return disclosed?.name === name ? disclosed.facts : undefined;
}

/** Returns the path of a disclosure that names a file with that digest at that path. */
export type Naming = (path: string, digest: string) => string | undefined;

/** A content, with the path of its disclosure and the files that it lists. */
interface Content {
  readonly by: string;
  readonly sha256: unknown;
  readonly files: readonly Record<string, unknown>[];
  /** Whether it is a file itself: a PDF. */
  readonly isFile: boolean;
}

/** Returns which file may have which name. */
export function namesOf(logs: readonly Log[], facts: DisclosedFacts): Naming {
  const agreements = new Map<string, { by: string; sha256: unknown }>();
  // By the number of the version, and by digest: events may name one content often.
  const contents = new Map<string, Map<string, Content>>();
  // Of many events that name one content, it is looked through once.
  const known = new Map<string, Content>();
  for (const { prefix, events } of logs) {
    for (const [place, { event }] of events) {
      for (const [name, digest] of Object.entries(event.discloses)) {
        const disclosed = facts.get(digest);
        if (disclosed?.name !== name) continue;
        const { path: by } = disclosed;
        const { sha256 } = disclosed.facts;
        if (name === "terms") agreements.set(`${prefix}agreements/${place}.txt`, { by, sha256 });
        if (name !== "content" || event.revision === undefined) continue;
        const ofVersion = contents.get(event.revision) ?? new Map<string, Content>();
        contents.set(event.revision, ofVersion);
        const content = known.get(digest) ?? contentOf(disclosed);
        known.set(digest, content);
        ofVersion.set(digest, content);
      }
    }
  }
  return (path, digest) => {
    const [, revision, number, ending = ""] = VERSION_FILE.exec(path) ?? [];
    if (revision === undefined) {
      const agreement = agreements.get(path);
      return agreement?.sha256 === digest ? agreement.by : undefined;
    }
    const named = [...(contents.get(revision)?.values() ?? [])];
    return named.find((content) => isOf(content, number, ending, digest))?.by;
  };
}

function contentOf({ path: by, facts: { sha256, files } }: Disclosed & { path: string }): Content {
  const listed = (Array.isArray(files) ? files : []).filter(isObject);
  return { by, sha256, files: listed, isFile: listed.some((file) => file.sha256 === sha256) };
}

/**
 * Whether a version may have a file with that digest.
 * @param number Its place among the files that the content lists, from 1; absent for the content.
 */
function isOf(
  { sha256, files, isFile }: Content,
  number: string | undefined,
  ending: string,
  digest: string,
): boolean {
  const isIt = (file: Record<string, unknown> | undefined) =>
    file?.sha256 === digest && endingOf(file.mediaType) === ending;
  if (number !== undefined) return !isFile && isIt(files[Number(number) - 1]);
  if (sha256 !== digest) return false;
  return isFile ? files.some(isIt) : ending === "html" || ending === "json";
}

const VERSION_FILE = /^idea\/version-([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?\.([a-z]+)$/;
const DISCLOSURE = /^(.*)disclosures\/(0|[1-9]\d*)-([a-z]+)\.json$/;
const AGREEMENT = /^(log\d+\/)?agreements\/(\d+)\.txt$/;
// Where the content itself is lost, its ending is not known.
const LOST =
  /^idea\/version-([1-9]\d{0,8})(?:\.html|\.json|(?:-[1-9]\d{0,8})?(?:\.pdf|\.png|\.jpg))?$/;
const LOST_1 = new RegExp(
  `^(?:idea/(?:revision-(\\d+)(?:\\.html|\\.json)?|${FILE_ID}(?:\\.pdf|\\.png|\\.jpg)?)|agreements/([\\w.@-]+)\\.txt)$`,
);

/** Subjects of the events of a bundle. */
export function subjectsOf(version: number, logs: readonly Log[]) {
  const events = logs.flatMap((log) => [...log.events.values()].map(({ event }) => event));
  const recipients = new Set(events.map(({ recipient }) => recipient));
  const revisions = new Set(events.map(({ revision }) => revision));
  const byFolder = new Map(logs.map((log) => [log.prefix, log.events]));
  /** Whether an event names the disclosure at a path, which a bundle may withhold. */
  const disclose = (path: string): boolean => {
    const [, folder = "", place = "", name = ""] = DISCLOSURE.exec(path) ?? [];
    const event = byFolder.get(folder)?.get(Number(place))?.event;
    return place !== "" && event !== undefined && Object.hasOwn(event.discloses, name);
  };
  /** Whether a vault may have lost a file: a disclosure, an agreement, or a file of the idea. */
  const mayLose = (path: string): boolean => {
    const lost = (version === 1 ? LOST_1 : LOST).exec(path);
    if (lost) {
      const [, revision, recipient] = lost;
      if (recipient !== undefined) return recipients.has(recipient);
      return revision === undefined || revisions.has(revision);
    }
    const [, folder = "", place] = (version !== 1 && AGREEMENT.exec(path)) || [];
    const isOffered = place !== undefined && disclose(`${folder}disclosures/${place}-terms.json`);
    return isOffered || disclose(path);
  };
  return { disclose, mayLose };
}
