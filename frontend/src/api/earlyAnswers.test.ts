import { readFileSync } from "node:fs";
import { createMemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { dropEarlyAnswers } from "@/app/earlyAnswers";
import { isModern } from "@/pdf/modern";
import { send } from "./http";

const script = readFileSync("public/early.js", "utf8");

afterEach(() => {
  window.takeEarlyAnswer = undefined;
  delete document.documentElement.dataset.signedIn;
  history.replaceState(null, "", "/");
});

/** Runs public/early.js on a page; the server gives each call the next of these answers. */
function run(path: string, element: HTMLScriptElement, ...answers: (Response | Error)[]) {
  const server = vi.spyOn(window, "fetch").mockImplementation(async () => {
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error("unexpected call");
  });
  history.replaceState(null, "", path);
  vi.spyOn(document, "currentScript", "get").mockReturnValue(element);
  new Function(script)();
  return server;
}

/** Opens a page of a link. */
function open(path: string, ...answers: (Response | Error)[]) {
  const element = document.createElement("script");
  element.dataset.opensShare = "";
  return run(path, element, ...answers);
}

const addresses = (server: ReturnType<typeof run>) => server.mock.calls.map(([url]) => url);

const openShare = (token: string) => send({ url: `/api/share/${encodeURIComponent(token)}` });

const shared = (stage: string) => new Response(JSON.stringify({ stage }));

test.each(["/nda/a%20b", "/nda/a%20b/", "/nda?accessToken=a%20b"])(
  "the first look-up on %s takes the answer that came before the application ran",
  async (path) => {
    const server = open(path, shared("nda"), shared("open"));
    expect(await openShare("a b")).toEqual({ data: { stage: "nda" } });
    expect(server.mock.calls).toEqual([
      ["/api/share/a%20b", { credentials: "include", cache: "no-store" }],
    ]);
    expect(await openShare("a b")).toEqual({ data: { stage: "open" } });
  },
);

test("the answer is for its own link only", async () => {
  open("/nda/one", shared("nda"), shared("open"));
  expect(await openShare("other")).toEqual({ data: { stage: "open" } });
});

test("a refusal that came early has the shape of every other", async () => {
  open("/nda/gone", new Response("", { status: 404 }));
  expect(await openShare("gone")).toMatchObject({ error: { status: 404 } });
  open("/nda/gone", new TypeError("offline"));
  expect(await openShare("gone")).toMatchObject({ error: { status: 0 } });
});

const viewer = {
  pdfWorker: "/modern.js",
  pdfLegacyWorker: "/worker.js",
  pdfModules: "/viewer.js /engine.js",
};

/** The addresses that a document's page requests before it runs. */
async function requested(dataset: Record<string, string>, content: unknown) {
  const element = document.createElement("script");
  Object.assign(element.dataset, { opensShare: "", ...dataset });
  for (const link of document.head.querySelectorAll("link")) link.remove();
  const answers = Array.from({ length: 4 }, () => Response.json({ idea: { content } }));
  const server = run("/document/one", element, ...answers);
  await new Promise((resolve) => setTimeout(resolve));
  const links = [...document.head.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  return [...addresses(server), ...links.map((link) => link.getAttribute("href"))];
}

const whole = [
  "/api/share/one",
  "/api/files/a-1",
  "/api/files/a-1",
  "/worker.js",
  "/viewer.js",
  "/engine.js",
];

test("the file and the viewer are requested beside the link if the server says which", async () => {
  expect(await requested({ ...viewer, pdf: "/api/files/a-1" }, null)).toEqual(whole);
});

test("the file and the viewer are requested once the link says that it leads to a PDF", async () => {
  expect(await requested(viewer, { type: "pdf", pdfPath: "/api/files/a-1" })).toEqual(whole);
});

test("the worker is the one that the viewer starts in this browser", async () => {
  const modern = "getOrInsertComputed";
  expect(isModern()).toBe(false);
  Object.defineProperty(Map.prototype, modern, { value: () => undefined, configurable: true });
  expect(isModern()).toBe(true);
  expect(await requested({ ...viewer, pdf: "/api/files/a-1" }, null)).toContain("/modern.js");
  Reflect.deleteProperty(Map.prototype, modern);
});

test("no viewer is requested for another document", async () => {
  expect(await requested(viewer, "<p>Text</p>")).toEqual(["/api/share/one"]);
});

test.each(["https://evil.test/a", "/api/files/../auth/logout", 7])(
  "nothing but a file of this server is requested as one: %s",
  async (pdfPath) => {
    const urls = await requested(viewer, { type: "pdf", pdfPath });
    expect(urls).toEqual(["/api/share/one", "/worker.js", "/viewer.js", "/engine.js"]);
  },
);

test.each(["/nda", "/nda/%FF"])("nothing is looked up on %s", (path) => {
  expect(open(path)).not.toHaveBeenCalled();
});

test("a look-up like that of another browser takes no answer", async () => {
  open("/nda/one", shared("nda"), shared("collect"));
  expect(await send({ url: "/api/share/one", credentials: "omit" })).toEqual({
    data: { stage: "collect" },
  });
});

test.each([
  ["/profile", ["/api/auth/me"]],
  ["/editor/new", ["/api/auth/me"]],
  ["/editor/12", ["/api/auth/me", "/api/ideas/12"]],
])("a signed-in page at %s begins %j", async (path, urls) => {
  document.documentElement.dataset.signedIn = "";
  const answers = () => urls.map(() => Response.json({ id: "early" }));
  const server = run(path, document.createElement("script"), ...answers());
  expect(addresses(server)).toEqual(urls);
  expect(await send({ url: "/api/auth/me" })).toEqual({ data: { id: "early" } });
  expect(server).toHaveBeenCalledTimes(urls.length);
});

test("a list takes the answer that came early, but not another page of it", async () => {
  document.documentElement.dataset.signedIn = "";
  const early = ["me", "early", "assets", "storage"].map((answer) => Response.json([answer]));
  const answers = [...early, Response.json(["asked"])];
  const server = run("/dashboard", document.createElement("script"), ...answers);
  expect(addresses(server)).toEqual(["/api/auth/me"]);
  await vi.waitFor(() => {
    const lists = ["/api/ideas", "/api/assets", "/api/profile/storage"];
    expect(addresses(server)).toEqual(["/api/auth/me", ...lists]);
  });
  const list = (cursor?: string) => send({ url: "/api/ideas", params: { cursor } });
  expect(await list("7")).toEqual({ data: ["asked"] });
  expect(await list()).toEqual({ data: ["early"] });
});

test.each([new Response("", { status: 401 }), new TypeError("offline")])(
  "no list is begun unless somebody is signed in: %s",
  async (answer) => {
    document.documentElement.dataset.signedIn = "";
    const server = run("/dashboard", document.createElement("script"), answer);
    await new Promise((resolve) => setTimeout(resolve));
    expect(addresses(server)).toEqual(["/api/auth/me"]);
  },
);

test("nothing is begun for somebody who is not signed in", () => {
  expect(run("/editor/12", document.createElement("script"))).not.toHaveBeenCalled();
});

test("what the first page did not take is asked anew on the next", async () => {
  document.documentElement.dataset.signedIn = "";
  const early = Response.json({ id: "early" });
  run("/", document.createElement("script"), early, Response.json({ id: "now" }));
  const router = createMemoryRouter([{ path: "*" }]);
  dropEarlyAnswers(router);
  await router.navigate("/next");
  expect(await send({ url: "/api/auth/me" })).toEqual({ data: { id: "now" } });
});

test("a page that was reloaded after a navigation takes its early answers, too", async () => {
  document.documentElement.dataset.signedIn = "";
  run("/", document.createElement("script"), Response.json({ id: "early" }));
  const reloaded = { pathname: "/", key: "given by a navigation" };
  dropEarlyAnswers(createMemoryRouter([{ path: "*" }], { initialEntries: [reloaded] }));
  expect(await send({ url: "/api/auth/me" })).toEqual({ data: { id: "early" } });
});
