import { expect, test } from "vitest";
import { bytesOf } from "./bytes";
import { openFolder } from "./folder";
import type { Report } from "./report";
import { makeFiles, withIndex } from "./testing/makeBundle";
import { makeZip } from "./testing/makeZip";
import { verifyBundle, verifyFolder } from "./verify";

const files = withIndex(makeFiles());
const nothing = new Uint8Array();

/** The files of a folder as a browser gives them. */
function inFolder(folder: string, more: Record<string, string> = {}): File[] {
  const all = [
    ...files,
    ...Object.entries(more).map(([path, text]) => [path, bytesOf(text)] as const),
  ];
  return all.map(([path, contents]) => {
    const file = new File([contents], path.slice(path.lastIndexOf("/") + 1));
    Object.defineProperty(file, "webkitRelativePath", { value: `${folder}/${path}` });
    return file;
  });
}

const failed = ({ claims }: Report) =>
  claims.filter(({ outcome }) => outcome.kind === "fails").map(({ subject }) => subject);

test.each(["", "evidence-7/", "Desktop/evidence-7/"])(
  "a bundle that was zipped anew below %j is as it was",
  async (folder) => {
    const entries = [...files].map(([path, contents]) => ({ path: folder + path, contents }));
    const report = await verifyBundle(
      makeZip([
        { path: `${folder}events/`, contents: nothing },
        ...entries,
        { path: `__MACOSX/${folder}._README.txt`, contents: bytesOf("Mac") },
        { path: `${folder}idea/.DS_Store`, contents: bytesOf("Mac") },
      ]),
    );
    expect(failed(report)).toEqual([]);
    expect(report.summary?.title).toBe("A kettle that waits");
  },
);

test("an unpacked bundle is as it was", async () => {
  const report = await verifyFolder(inFolder("evidence-7", { "idea/Thumbs.db": "Windows" }));
  expect(failed(report)).toEqual([]);
  expect(report.summary?.title).toBe("A kettle that waits");
});

test("a file that was added or changed in a folder is named", async () => {
  const added = inFolder("evidence-7", { "idea/notes.txt": "mine" });
  expect(failed(await verifyFolder(added))).toContain("idea/notes.txt");
  const changed = inFolder("evidence-7", { "idea/version-1.html": "other words" });
  expect(failed(await verifyFolder(changed))).toContain("idea/version-1.html");
});

test("what was dropped is read through all folders, a part at a time", async () => {
  const file = (path: string) =>
    ({
      isFile: true,
      isDirectory: false,
      fullPath: `/${path}`,
      file: (done: (file: File) => void) => done(new File([path], path)),
    }) as FileSystemFileEntry;
  const folder = (path: string, ...parts: FileSystemEntry[][]) =>
    ({
      isFile: false,
      isDirectory: true,
      fullPath: `/${path}`,
      createReader: () => {
        const left = [...parts, []];
        return {
          readEntries: (done: (some: FileSystemEntry[]) => void) => done(left.shift() ?? []),
        };
      },
    }) as unknown as FileSystemDirectoryEntry;
  const inner = folder("e/idea", [file("e/idea/a.html")]);
  const opened = await openFolder([folder("e", [file("e/README.txt")], [inner])]);
  expect(opened.paths).toEqual(["e/README.txt", "e/idea/a.html"]);
});

test("a folder that holds too much is not read", async () => {
  const limits = { maxEntries: 3, maxTotal: 1_000_000 };
  await expect(verifyFolder(inFolder("home"), { limits })).rejects.toThrow("more than 3 files");
  const small = { maxEntries: 1000, maxTotal: 10 };
  await expect(verifyFolder(inFolder("home"), { limits: small })).rejects.toThrow("too much");
});

test("a folder without a bundle is refused", async () => {
  const letter = new File(["a letter"], "letter.txt");
  await expect(verifyFolder([letter])).rejects.toThrow("it has no bundle.json");
});
