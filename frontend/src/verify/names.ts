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

/** Digests that files may have, by the path of the file; each with the path of a disclosure that says so. */
export type Names = Map<string, Map<string, string>>;

export const add = (names: Names, path: string, digest: unknown, by: string): void => {
  const digests = names.get(path) ?? new Map<string, string>();
  names.set(path, digests.set(String(digest), by));
};

/** Returns the digests that files may have. */
export function namesOf(logs: readonly Log[], facts: DisclosedFacts): Names {
  const names: Names = new Map();
  for (const { prefix, events } of logs) {
    for (const [place, { event }] of events) {
      for (const digest of Object.values(event.discloses)) {
        const disclosed = facts.get(digest);
        if (disclosed?.name === "terms") {
          const { sha256 } = disclosed.facts;
          add(names, `${prefix}agreements/${place}.txt`, sha256, disclosed.path);
        } else if (disclosed?.name === "content" && event.revision !== undefined) {
          nameContent(names, event.revision, disclosed);
        }
      }
    }
  }
  return names;
}

/** Adds the files of a version: its content, and the files that this shows. */
function nameContent(
  names: Names,
  revision: string,
  { facts: { sha256, files }, path: by }: { facts: Disclosed["facts"]; path: string },
): void {
  const listed = (Array.isArray(files) ? files : []).filter(isObject);
  const version = `idea/version-${revision}`;
  // The content of a PDF is the file itself.
  const isFile = listed.some((file) => file.sha256 === sha256);
  if (!isFile) {
    add(names, `${version}.html`, sha256, by);
    add(names, `${version}.json`, sha256, by);
  }
  for (const [index, file] of listed.entries()) {
    const path = `${version}${isFile ? "" : `-${index + 1}`}.${endingOf(file.mediaType)}`;
    if (!isFile || file.sha256 === sha256) add(names, path, file.sha256, by);
  }
}

const DISCLOSURE = /^(.*)disclosures\/(0|[1-9]\d*)-([a-z]+)\.json$/;
const AGREEMENT = /^(log\d+\/)?agreements\/(\d+)\.txt$/;
// Where the content itself is lost, its ending is not known, nor the type of a file.
const LOST = /^idea\/version-(\d+)(?:\.html|\.json|(?:-[1-9]\d*)?(?:\.pdf|\.png|\.jpg)?)$/;
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
    const [, folder = "", place] = AGREEMENT.exec(path) ?? [];
    const isOffered = place !== undefined && disclose(`${folder}disclosures/${place}-terms.json`);
    return isOffered || disclose(path);
  };
  return { disclose, mayLose };
}
