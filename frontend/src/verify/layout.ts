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
export function parseLogFile(path: string): LogFile | null {
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(path);
    if (match) return make(match[1] ?? "", match[2] ?? "");
  }
  return null;
}

const OUTSIDE_LOGS = new RegExp(`^(README\\.txt|verify\\.py|idea/.+|agreements/${NAME}\\.txt)$`);
const OLDER_LOG = new RegExp(`^(log${NUMBER}/)log/checkpoint$`);

/**
 * Returns the folders of the logs (that of the newest one is empty, older ones are named as the last
 * part of their origins), and the files that no bundle has.
 */
export function layoutOf(paths: readonly string[]): { prefixes: string[]; unknown: string[] } {
  const older = paths.flatMap((path) => OLDER_LOG.exec(path)?.[1] ?? []);
  const prefixes = ["", ...older];
  const isKnown = (path: string) =>
    path === INDEX ||
    OUTSIDE_LOGS.test(path) ||
    prefixes.some(
      (prefix) => path.startsWith(prefix) && parseLogFile(path.slice(prefix.length)) !== null,
    );
  return { prefixes, unknown: paths.filter((path) => !isKnown(path)) };
}
