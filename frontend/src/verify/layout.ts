/** Which files a bundle has, and what they are. */
import { parseNumber } from "./checkpoint";
import { isDisclosureName } from "./event";

/** Name of the file that lists the digests of all others. */
export const INDEX = "bundle.json";

/** A file of the part of a bundle that belongs to one log. */
export type LogFile =
  /** One of the files with a fixed name in `log/`, or a certificate. */
  | { kind: "fixed" }
  /** `log/checkpoint-A`. */
  | { kind: "head"; size: number }
  /** `log/consistency-A-B.txt`. */
  | { kind: "consistency"; old: number; new: number }
  /** `events/N.json`, `events/N.tlog-proof`, `events/N.json.ots`. */
  | { kind: "event" | "proof" | "eventStamp"; place: number }
  /** `disclosures/N-NAME.json`. */
  | { kind: "disclosure"; place: number; name: string }
  /** `anchors/X.checkpoint`, `anchors/X.tsr`, `anchors/X.ots`, `anchors/X.cosigned`. */
  | { kind: "anchored" | "authority" | "calendar" | "cosigned"; name: string };

const NUMBER = "(0|[1-9]\\d*)";
const NAME = "([A-Za-z0-9_.@-]+)";

const patterns: readonly [RegExp, (one: string, two: string) => LogFile | null][] = [
  [/^log\/(checkpoint(\.body|\.sig)?|key\.pem|vkey)$/, () => ({ kind: "fixed" })],
  [new RegExp(`^anchors/roots/${NAME}\\.pem$`), () => ({ kind: "fixed" })],
  [
    new RegExp(`^log/checkpoint-${NUMBER}$`),
    (size) => withNumber(size, (size) => ({ kind: "head", size })),
  ],
  [
    new RegExp(`^log/consistency-${NUMBER}-${NUMBER}\\.txt$`),
    (one, two) =>
      withNumber(one, (old) =>
        withNumber(two, (newer) => ({ kind: "consistency", old, new: newer })),
      ),
  ],
  [
    new RegExp(`^events/${NUMBER}\\.json$`),
    (place) => withNumber(place, (place) => ({ kind: "event", place })),
  ],
  [
    new RegExp(`^events/${NUMBER}\\.tlog-proof$`),
    (place) => withNumber(place, (place) => ({ kind: "proof", place })),
  ],
  [
    new RegExp(`^events/${NUMBER}\\.json\\.ots$`),
    (place) => withNumber(place, (place) => ({ kind: "eventStamp", place })),
  ],
  [
    new RegExp(`^disclosures/${NUMBER}-([a-z]+)\\.json$`),
    (place, name) =>
      isDisclosureName(name)
        ? withNumber(place, (place) => ({ kind: "disclosure", place, name }))
        : null,
  ],
  [new RegExp(`^anchors/${NAME}\\.checkpoint$`), (name) => ({ kind: "anchored", name })],
  [new RegExp(`^anchors/${NAME}\\.tsr$`), (name) => ({ kind: "authority", name })],
  [new RegExp(`^anchors/${NAME}\\.ots$`), (name) => ({ kind: "calendar", name })],
  [new RegExp(`^anchors/${NAME}\\.cosigned$`), (name) => ({ kind: "cosigned", name })],
];

function withNumber(text: string, make: (number: number) => LogFile | null): LogFile | null {
  const number = parseNumber(text);
  return number === null ? null : make(number);
}

/** Parses a path below the folder of its log. */
function parseLogFile(path: string): LogFile | null {
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(path);
    if (match) return make(match[1] ?? "", match[2] ?? "");
  }
  return null;
}

const OUTSIDE_LOGS = new RegExp(`^(README\\.txt|verify\\.py|idea/.+|agreements/${NAME}\\.txt)$`);
const OLDER_LOG = new RegExp(`^log${NUMBER}/`);

/** The files of a bundle. */
export interface Layout {
  /**
   * Files of each log with their paths, by its folder. That of the newest one is empty and comes
   * first; older ones are named as the last part of their origins.
   */
  readonly logs: ReadonlyMap<string, readonly [string, LogFile][]>;
  /** Files that no bundle has. */
  readonly unknown: readonly string[];
}

/** Sorts the paths of a bundle. */
export function layoutOf(paths: readonly string[]): Layout {
  const logs = new Map<string, [string, LogFile][]>([["", []]]);
  for (const path of paths) {
    const folder = folderOf(path);
    if (path === `${folder}log/checkpoint`) logs.set(folder, []);
  }
  const unknown = paths.filter((path) => {
    const folder = folderOf(path);
    const file = parseLogFile(path.slice(folder.length));
    const files = logs.get(folder);
    if (file) files?.push([path, file]);
    const isKnown = (file && files) || path === INDEX || OUTSIDE_LOGS.test(path);
    return !isKnown;
  });
  return { logs, unknown };
}

const folderOf = (path: string): string => OLDER_LOG.exec(path)?.[0] ?? "";
