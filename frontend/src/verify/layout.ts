/** Which files a bundle has, and what they are. */
import { parseNumber } from "./checkpoint";
import { isDisclosureName } from "./event";

/** Name of the file that lists the digests of all others. */
export const INDEX = "bundle.json";

/** A file of the part of a bundle that belongs to one log. */
export type LogFile =
  /** One of the files with a fixed name in `log/`. */
  | { kind: "fixed" }
  /** `anchors/roots/N.pem`. */
  | { kind: "root"; number: number }
  /** `log/checkpoint-A`. */
  | { kind: "head"; size: number }
  /** `log/consistency-A-B.txt`. */
  | { kind: "consistency"; old: number; new: number }
  /** `events/N.json`, `events/N.tlog-proof`, `events/N.json.ots`. */
  | { kind: "event" | "proof" | "eventStamp"; place: number }
  /** `disclosures/N-NAME.json`. */
  | { kind: "disclosure"; place: number; name: string }
  /** `anchors/SIZE-X.checkpoint`, and likewise `.tsr`, `.ots`, `.cosigned`. */
  | { kind: "anchored" | "authority" | "calendar" | "cosigned"; name: string };

const NUMBER = "(0|[1-9]\\d*)";
const NAME = "([A-Za-z0-9_.@-]+)";
const ANCHOR = "((?:0|[1-9]\\d*)-[A-Za-z0-9_.@-]+)";
export const FILE_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const patterns: readonly [RegExp, (one: string, two: string) => LogFile | null][] = [
  [/^log\/(checkpoint(\.body|\.sig)?|key\.pem|vkey)$/, () => ({ kind: "fixed" })],
  [
    new RegExp(`^anchors/roots/${NUMBER}\\.pem$`),
    (number) => withNumber(number, (number) => ({ kind: "root", number })),
  ],
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
  [new RegExp(`^anchors/${ANCHOR}\\.checkpoint$`), (name) => ({ kind: "anchored", name })],
  [new RegExp(`^anchors/${ANCHOR}\\.tsr$`), (name) => ({ kind: "authority", name })],
  [new RegExp(`^anchors/${ANCHOR}\\.ots$`), (name) => ({ kind: "calendar", name })],
  [new RegExp(`^anchors/${ANCHOR}\\.cosigned$`), (name) => ({ kind: "cosigned", name })],
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

/** Returns the size in the name of an anchored checkpoint, with which it begins. */
export const anchoredSize = (name: string): number | null =>
  parseNumber(name.slice(0, name.indexOf("-")));

const NAMED = [
  `idea/version-[1-9]\\d{0,8}(-[1-9]\\d{0,8})?\\.(html|json|pdf|png|jpg)`,
  `(log${NUMBER}/)?agreements/${NUMBER}\\.txt`,
  // Those of version 1 of the format.
  `idea/revision-${NUMBER}\\.(html|json)`,
  `idea/${FILE_ID}\\.(pdf|png|jpg)`,
  `agreements/${NAME}\\.txt`,
];
const NAMED_FILE = new RegExp(`^(${NAMED.join("|")})$`);

/** Whether a file is one whose name and digest follow from events and disclosures. */
export const isNamedFile = (path: string): boolean => NAMED_FILE.test(path);

/** Returns the ending of an uploaded file of a media type. */
export const endingOf = (mediaType: unknown): string => ENDINGS.get(mediaType) ?? "jpg";

const ENDINGS = new Map<unknown, string>([
  ["application/pdf", "pdf"],
  ["image/png", "png"],
]);

/** Paths of the instructions, of the report and of the script. */
export const INSTRUCTIONS = "README.txt";
export const REPORT = "report.html";
export const SCRIPT = "verify.py";

const FIXED: readonly string[] = [INDEX, INSTRUCTIONS, REPORT, SCRIPT];
const OLDER_LOG = new RegExp(`^log${NUMBER}/`);

/** The files of a bundle. */
export interface Layout {
  /**
   * Files of each log with their paths, by its folder, from the oldest log to the newest one.
   * That of the newest one is empty; older ones are named as the last part of their origins.
   */
  readonly logs: ReadonlyMap<string, readonly [string, LogFile][]>;
  /** Files that no bundle has. */
  readonly unknown: readonly string[];
}

/** Sorts the paths of a bundle. */
export function layoutOf(paths: readonly string[]): Layout {
  const folders = paths.filter((path) => path === `${folderOf(path)}log/checkpoint`).map(folderOf);
  const older = folders.filter((folder) => folder !== "");
  older.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const logs = new Map<string, [string, LogFile][]>([...older, ""].map((folder) => [folder, []]));
  const unknown = paths.filter((path) => {
    const folder = folderOf(path);
    const file = parseLogFile(path.slice(folder.length));
    const files = logs.get(folder);
    if (file) files?.push([path, file]);
    const isKnown = (file && files) || FIXED.includes(path) || isNamedFile(path);
    return !isKnown;
  });
  return { logs, unknown };
}

const folderOf = (path: string): string => OLDER_LOG.exec(path)?.[0] ?? "";
