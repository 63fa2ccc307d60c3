import { readFileSync } from "node:fs";
import { waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { server } from "@/testing/server";
import { openByteSource } from "./byteSource";
import { problemOf } from "./loading";

const file = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) % 251);
const part = (begin: number, end: number) => file.slice(begin, end);

/** Serves the file and records the requested ranges in order. */
function serve(bytes = file) {
  const asked: string[] = [];
  server.use(
    http.get("*/api/files/a", ({ request }) => {
      const range = request.headers.get("range") ?? "";
      asked.push(range.replace("bytes=", ""));
      const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
      const begin = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
      const end = first === "" ? bytes.length : Math.min(Number(last) + 1, bytes.length);
      return new HttpResponse(bytes.slice(begin, end), {
        status: 206,
        headers: { "Content-Range": `bytes ${begin}-${end - 1}/${bytes.length}` },
      });
    }),
  );
  return asked;
}

const never = new Promise<void>(() => undefined);
const now = Promise.resolve();
const open = (free = never, onBytes: () => void = () => undefined) =>
  openByteSource("/api/files/a", new AbortController().signal, free, onBytes);

test("requests both ends at once, and nothing again that they contain", async () => {
  const asked = serve();
  const source = await open();
  expect(source.length).toBe(file.length);
  expect(await source.read(0, 4096)).toEqual(part(0, 4096));
  expect(await source.read(999_000, 1_000_000)).toEqual(part(999_000, 1_000_000));
  expect(asked).toEqual(["0-8191", "-16384"]);
});

test("takes what the document of the page has requested of the file", async () => {
  const asked = serve();
  server.use(
    http.get("*/api/share/token", () => HttpResponse.json({})),
    http.get("*/worker.js", () => new HttpResponse("")),
  );
  history.replaceState(null, "", "/document/token");
  const script = document.createElement("script");
  const pdf = { pdf: "/api/files/a", pdfLegacyWorker: "/worker.js", pdfModules: "/engine.js" };
  Object.assign(script.dataset, { opensShare: "", ...pdf });
  vi.spyOn(document, "currentScript", "get").mockReturnValue(script);
  new Function(readFileSync("public/early.js", "utf8"))();
  await waitFor(() => expect(asked).toHaveLength(3));
  const source = await open(now);
  expect(source.length).toBe(file.length);
  expect(await source.read(0, 131_072)).toEqual(part(0, 131_072));
  expect(await source.read(999_000, 1_000_000)).toEqual(part(999_000, 1_000_000));
  expect(asked).toEqual(["0-8191", "-16384", "8192-131071"]);
  window.takeEarlyAnswer = undefined;
});

test("reports bytes as they arrive, before a range is complete", async () => {
  const begun = () =>
    new ReadableStream({ start: (controller) => controller.enqueue(part(0, 10)) });
  server.use(http.get("*/api/files/a", () => new HttpResponse(begun(), { status: 206 })));
  const onBytes = vi.fn();
  void open(never, onBytes);
  await waitFor(() => expect(onBytes).toHaveBeenCalled());
});

test("reads a file that is shorter than its ends", async () => {
  serve(part(0, 100));
  const source = await open();
  expect(source.length).toBe(100);
  expect(await source.read(0, 4096)).toEqual(part(0, 100));
});

test("accepts the whole file from a server without range requests", async () => {
  server.use(http.get("*/api/files/a", () => new HttpResponse(part(0, 50_000))));
  const source = await open();
  expect(source.length).toBe(50_000);
  expect(await source.read(40_000, 44_000)).toEqual(part(40_000, 44_000));
});

test("returns a buffer of its own, which may be transferred", async () => {
  serve();
  const source = await open();
  const { buffer } = await source.read(0, 4096);
  structuredClone(buffer, { transfer: [buffer] });
  expect(await source.read(0, 4096)).toEqual(part(0, 4096));
});

test("sends small requests, the latest first, beside the one long request", async () => {
  const asked = serve();
  const source = await open();
  asked.length = 0;
  const requests: [number, number][] = [
    [100_000, 200_000],
    [300_000, 400_000],
    [500_000, 504_096],
    [600_000, 604_096],
  ];
  const answers = await Promise.all(requests.map(([begin, end]) => source.read(begin, end)));
  expect(answers).toEqual(requests.map(([begin, end]) => part(begin, end)));
  expect(asked).toEqual(["100000-199999", "600000-604095", "500000-504095", "300000-399999"]);
});

test("reads ahead of sequential reads", async () => {
  const asked = serve();
  const source = await open();
  asked.length = 0;
  for (let begin = 100_000; begin < 228_000; begin += 4_000) {
    expect(await source.read(begin, begin + 4_000)).toEqual(part(begin, begin + 4_000));
  }
  expect(asked.length).toBeLessThan(8);
});

test("reads ahead from the beginning, and fetches only the rest", async () => {
  const asked = serve();
  const source = await open(now);
  expect(await source.read(1_000, 120_000)).toEqual(part(1_000, 120_000));
  expect(await source.read(130_000, 140_000)).toEqual(part(130_000, 140_000));
  expect(asked.slice(3)).toEqual(["131072-139999"]);
});

test("stops reading ahead for a long range elsewhere", async () => {
  const asked = serve();
  server.use(
    http.get("*/api/files/a", async ({ request }) => {
      if (request.headers.get("range") === "bytes=8192-131071") await delay("infinite");
    }),
  );
  const source = await open(now);
  expect(await source.read(500_000, 600_000)).toEqual(part(500_000, 600_000));
  expect(await source.read(20_000, 24_096)).toEqual(part(20_000, 24_096));
  expect(asked.slice(2)).toEqual(["500000-599999", "20000-24095"]);
});

test("requests a range itself where reading ahead failed", async () => {
  serve();
  server.use(
    http.get("*/api/files/a", ({ request }) =>
      request.headers.get("range") === "bytes=8192-131071" ? HttpResponse.error() : undefined,
    ),
  );
  const source = await open(now);
  expect(await source.read(20_000, 24_096)).toEqual(part(20_000, 24_096));
});

test.each([
  [404, "gone"],
  [403, "gone"],
  [503, "unreachable"],
])("a response %s means that the file is %s", async (status, problem) => {
  serve();
  const source = await open();
  server.use(http.get("*/api/files/a", () => new HttpResponse(null, { status })));
  const error = await source.read(100_000, 104_096).catch((reason: unknown) => reason);
  expect(problemOf(error)).toBe(problem);
  const unopened = await open().catch((reason: unknown) => reason);
  expect(problemOf(unopened)).toBe(problem);
});

test("a lost connection is reported as one, and does not stop later ranges", async () => {
  serve();
  const source = await open();
  server.use(http.get("*/api/files/a", () => HttpResponse.error(), { once: true }));
  const error = await source.read(100_000, 104_096).catch((reason: unknown) => reason);
  expect(problemOf(error)).toBe("unreachable");
  expect(await source.read(100_000, 104_096)).toEqual(part(100_000, 104_096));
});
