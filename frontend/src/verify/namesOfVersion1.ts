/**
 * Names of files in version 1 of the format, which nobody makes any more: uploaded files were named by
 * their ids, and agreements by those of registrations.
 */
import { textOf } from "./bytes";
import { isObject } from "./canonical";
import type { Disclosed } from "./disclosure";
import type { BundleFiles } from "./files";
import { endingOf, FILE_ID } from "./layout";
import type { Log } from "./log";
import type { DisclosedFacts, Naming } from "./names";

/** Digests that files may have, by the path of the file; each with the path of a disclosure that says so. */
type Names = Map<string, Map<string, string>>;

const add = (names: Names, path: string, digest: unknown, by: string): void => {
  const digests = names.get(path) ?? new Map<string, string>();
  names.set(path, digests.set(String(digest), by));
};

/**
 * Returns which file may have which name.
 * @param digests Those of the files that are there, by path.
 */
export async function namesOfVersion1(
  bundle: BundleFiles,
  logs: readonly Log[],
  facts: DisclosedFacts,
  digests: ReadonlyMap<string, string>,
): Promise<Naming> {
  const names: Names = new Map();
  // A delivery names the file by its id.
  const deliveries: Names = new Map();
  const contents = new Map<string, { revision: string; digest: string }>();
  for (const { event } of logs.flatMap((log) => [...log.events.values()])) {
    const { recipient, file, revision } = event;
    for (const digest of Object.values(event.discloses)) {
      const disclosed = facts.get(digest);
      if (!disclosed) continue;
      const { name, path: by } = disclosed;
      const { sha256, mediaType } = disclosed.facts;
      if (name === "terms" && recipient !== undefined) {
        add(names, `agreements/${recipient}.txt`, sha256, by);
      } else if (name === "file" && file !== undefined) {
        add(deliveries, `idea/${file}.${endingOf(mediaType)}`, sha256, by);
      } else if (name === "content" && revision !== undefined) {
        contents.set(`${revision} ${digest}`, { revision, digest });
      }
    }
  }
  const uploads = uploadsOf(digests);
  for (const { revision, digest } of contents.values()) {
    const content = facts.get(digest);
    const html = `idea/revision-${revision}.html`;
    const isIntact = digests.get(html) === content?.facts.sha256;
    const page = content && isIntact ? textOf(await bundle.read(html)) : null;
    if (content) nameContent(names, uploads, revision, page, content);
  }
  return (path, digest) => (deliveries.get(path) ?? names.get(path))?.get(digest);
}

interface Upload {
  readonly path: string;
  readonly id: string;
  readonly digest: string;
  readonly ending: string;
}

/** Returns the uploaded files that are there, in the order of their ids. */
const uploadsOf = (digests: ReadonlyMap<string, string>): Upload[] =>
  [...digests]
    .flatMap(([path, digest]): Upload[] => {
      const [, id, ending] = UPLOAD.exec(path) ?? [];
      return id && ending ? [{ path, digest, id, ending }] : [];
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));

/** Adds the files of a revision: its content, and the files that this shows. */
function nameContent(
  names: Names,
  uploads: readonly Upload[],
  revision: string,
  page: string | null,
  { facts: { sha256, files }, path: by }: { facts: Disclosed["facts"]; path: string },
): void {
  const listed = (Array.isArray(files) ? files : []).filter(isObject);
  const keys = listed.map((file) => `${file.sha256}.${endingOf(file.mediaType)}`);
  // The content of a PDF is the file itself.
  const isFile = listed.some((file) => file.sha256 === sha256);
  if (!isFile) {
    add(names, `idea/revision-${revision}.html`, sha256, by);
    add(names, `idea/revision-${revision}.json`, sha256, by);
  }
  const ids = isFile || page === null ? null : new Set(page.match(SHOWN));
  const known = new Set(keys);
  const shown = uploads.filter(
    ({ id, digest, ending }) => known.has(`${digest}.${ending}`) && (ids === null || ids.has(id)),
  );
  // They are listed in the order of their ids. Without the content, nothing says which id each had.
  let at = 0;
  const isInOrder = shown.every(({ digest, ending }) => {
    at = keys.indexOf(`${digest}.${ending}`, at) + 1;
    return at > 0;
  });
  if (ids !== null && !isInOrder) return;
  for (const { path, digest } of shown) add(names, path, digest, by);
}

const SHOWN = new RegExp(`(?<=/api/files/)${FILE_ID}`, "g");
const UPLOAD = new RegExp(`^idea/(${FILE_ID})\\.(pdf|png|jpg)$`);
