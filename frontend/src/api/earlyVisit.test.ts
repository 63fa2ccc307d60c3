import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { publicClient } from "./publicClient";

const visitScript = readFileSync("public/visit.js", "utf8");

afterEach(() => {
  window.takeEarlyVisit = undefined;
  history.replaceState(null, "", "/");
});

/** Runs public/visit.js on a page; the server gives each call the next of these answers. */
function open(path: string, ...answers: (Response | Error)[]) {
  const server = vi.spyOn(window, "fetch").mockImplementation(async () => {
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error("unexpected call");
  });
  history.replaceState(null, "", path);
  new Function(visitScript)();
  return server;
}

const shared = (stage: string) => new Response(JSON.stringify({ stage }));

test.each(["/nda/a%20b", "/nda/a%20b/", "/nda?accessToken=a%20b"])(
  "the first look-up on %s takes the answer that came before the application ran",
  async (path) => {
    const server = open(path, shared("nda"), shared("open"));
    expect(await publicClient.openShare("a b")).toEqual({ data: { stage: "nda" } });
    expect(server.mock.calls).toEqual([
      ["/api/share/a%20b", { credentials: "include", cache: "no-store" }],
    ]);
    expect(await publicClient.openShare("a b")).toEqual({ data: { stage: "open" } });
  },
);

test("the answer is for its own link only", async () => {
  open("/nda/one", shared("nda"), shared("open"));
  expect(await publicClient.openShare("other")).toEqual({ data: { stage: "open" } });
});

test("a refusal that came early has the shape of every other", async () => {
  open("/nda/gone", new Response("", { status: 404 }));
  expect(await publicClient.openShare("gone")).toMatchObject({ error: { status: 404 } });
  open("/nda/gone", new TypeError("offline"));
  expect(await publicClient.openShare("gone")).toMatchObject({ error: { status: 0 } });
});

test.each(["/nda", "/nda/%FF"])("nothing is looked up on %s", (path) => {
  expect(open(path)).not.toHaveBeenCalled();
  expect(window.takeEarlyVisit).toBeUndefined();
});
