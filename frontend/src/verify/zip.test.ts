import { expect, test } from "vitest";
import { type Bytes, bytesOf, textOf } from "./bytes";
import { makeZip, type ZipEntry } from "./testing/makeZip";
import { ZipError, ZipFile } from "./zip";

const a = bytesOf("a text, a text, a text");
const file = (path: string, over: Partial<ZipEntry> = {}): ZipEntry => ({
  path,
  contents: a,
  ...over,
});
const zeros = (length: number) => new Uint8Array(length);

/** Opens a zip file and reads everything in it. */
async function readAll(bytes: Bytes, limits?: ConstructorParameters<typeof ZipFile>[1]) {
  const zip = new ZipFile(bytes, limits);
  for (const path of zip.paths) await zip.read(path);
}

async function refusal(bytes: Bytes, limits?: ConstructorParameters<typeof ZipFile>[1]) {
  const error: unknown = await readAll(bytes, limits).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ZipError);
  const { path, message } = error as ZipError;
  return path === null ? message : `${path}: ${message}`;
}

test("files are read, stored or compressed, with sizes behind them or not", async () => {
  const zip = new ZipFile(
    makeZip([
      file("z.txt"),
      file("folder/b.txt", { deflated: true, behind: zeros(16) }),
      file("a.txt", { contents: zeros(0) }),
    ]),
  );
  expect(zip.paths).toEqual(["a.txt", "folder/b.txt", "z.txt"]);
  expect(textOf(await zip.read("folder/b.txt"))).toBe(textOf(a));
  expect(textOf(await zip.read("z.txt"))).toBe(textOf(a));
  expect(await zip.read("a.txt")).toHaveLength(0);
  await expect(zip.read("b.txt")).rejects.toThrow("The file is missing.");
});

test("folders are no files", async () => {
  const zip = new ZipFile(
    makeZip([
      file("a/", { contents: zeros(0), attributes: 0x41ed0000 }),
      file("a/b/", { contents: zeros(0) }),
      file("a/b/c.txt"),
    ]),
  );
  expect(zip.paths).toEqual(["a/b/c.txt"]);
});

test.each([
  ["nothing", zeros(0)],
  ["a picture", zeros(500)],
  ["a text", bytesOf("%PDF-1.7 and so on, and on, and on")],
])("%s is not a zip file", async (_, bytes) => {
  expect(await refusal(bytes)).toBe("This is not a bundle: it is not a zip file.");
});

test("a truncated file is not a complete one", async () => {
  const whole = makeZip([file("a.txt"), file("b.txt")]);
  for (const end of [whole.length - 1, whole.length - 22, 100]) {
    expect(await refusal(whole.slice(0, end))).toBe("The bundle is not a complete zip file.");
  }
});

test.each([
  "/etc/passwd",
  "../up.txt",
  "a/../../up.txt",
  "a/./b.txt",
  "a//b.txt",
  "C:/windows.txt",
  "a\\b.txt",
  "a\u0000.txt",
  "a\nb.txt",
  "dot./a.txt",
  "a.txt ",
  " a.txt",
  "long".repeat(61),
])("the path %j is refused by name", async (path) => {
  expect(await refusal(makeZip([file("a.txt"), file(path)]))).toBe(
    `${path}: The path is not safe.`,
  );
});

test.each([
  ["twice", [file("a.txt"), file("a.txt")], "a.txt: Another file has the same path."],
  ["in capitals", [file("a.txt"), file("A.TXT")], "A.TXT: Another file has the same path."],
  ["below a file", [file("a"), file("a/b.txt")], "a/b.txt: Another file has the same path."],
  ["as a folder, too", [file("a/b.txt"), file("A")], "A: Another file has the same path."],
  ["encrypted", [file("a", { flags: 1 })], "a: The file is encrypted."],
  ["a folder with contents", [file("a/")], "a/: This is not a regular file."],
  [
    "a folder that is a link",
    [file("a/", { contents: zeros(0), attributes: 0xa1ff0000 })],
    "a/: This is not a regular file.",
  ],
  [
    "a folder in the place of a file",
    [file("a"), file("A/", { contents: zeros(0) })],
    "A/: Another file has the same path.",
  ],
  ["a link", [file("a", { attributes: 0xa1ff0000 })], "a: This is not a regular file."],
  [
    "by another method",
    [file("a", { method: 12 })],
    "a: The file is compressed by another method than Deflate.",
  ],
  [
    "of two names",
    [file("a.txt", { localPath: "b.txt" })],
    "a.txt: The headers of the file contradict each other.",
  ],
  ["of two sizes", [file("a", { length: 5 })], "a: The headers of the file contradict each other."],
  [
    "of another size in its own header",
    [file("a", { localLength: 5 })],
    "a: The headers of the file contradict each other.",
  ],
  [
    "a bomb that says so",
    [file("a", { contents: zeros(5_000_000), deflated: true })],
    "a: The file is compressed too well to be real.",
  ],
  [
    "a bomb that says that it is small",
    [file("a", { contents: zeros(5_000_000), deflated: true, length: 1000 })],
    "a: The file is damaged or not of its declared size.",
  ],
  [
    "shorter than it says",
    [file("a", { deflated: true, length: 1000 })],
    "a: The file is damaged or not of its declared size.",
  ],
  [
    "with another sum",
    [file("a", { crc: 1 })],
    "a: The file is damaged or not of its declared size.",
  ],
  ["no Deflate", [file("a", { method: 8 })], "a: The file is damaged or not of its declared size."],
  [
    "in the place of another",
    [file("a.txt"), file("b.txt", { offset: 0, localPath: "b.txt" })],
    "b.txt: The headers of the file contradict each other.",
  ],
  [
    "outside",
    [file("a", { offset: 1_000_000 })],
    "a: The file is damaged or not of its declared size.",
  ],
])("a file %s is refused by name", async (_, entries, expected) => {
  expect(await refusal(makeZip(entries))).toBe(expected);
});

test("files that overlap are refused", async () => {
  const inner = makeZip([file("b.txt")]).slice(0, 30 + 5 + a.length);
  const outer = file("a.txt", { contents: inner });
  const entries = [outer, file("b.txt", { offset: 30 + 5 })];
  expect(await refusal(makeZip(entries))).toBe("b.txt: The file overlaps with another one.");
});

test.each([
  ["before the files", makeZip([file("a")], { before: zeros(1) })],
  ["behind a file", makeZip([file("a", { behind: zeros(25) }), file("b")])],
  ["in a comment", makeZip([file("a")], { comment: "hidden" })],
  ["in files that are not counted", makeZip([file("a"), file("b")], { count: 1 })],
  ["in a file that is not there", makeZip([file("a")], { count: 2 })],
])("data %s is refused", async (where, bytes) => {
  const expected = where.endsWith("comment")
    ? "The bundle is not a complete zip file."
    : "The bundle holds data outside its files.";
  expect(await refusal(bytes)).toBe(expected);
});

test("limits hold before anything is expanded", async () => {
  const zip = makeZip([file("a"), file("b")]);
  expect(await refusal(zip, { maxEntries: 1, maxTotal: 1000 })).toBe(
    "The bundle has more than 1 files, too many for a browser. Check it with python3 verify.py.",
  );
  expect(await refusal(zip, { maxEntries: 2, maxTotal: a.length })).toMatch(
    /^b: The bundle holds more than/,
  );
});
