import { everyone, recipient, signedIn as signedInRoutes } from "virtual:pages";
import { render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { describe, expect, test } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { prepareVisit, selectVisit } from "@/features/recipient/visit";
import { placeholderStyles } from "@/pdf/windowStyles";
import { createAppRuntime } from "@/store/store";
import { respondWith, signedIn } from "@/testing/api";
import { aListedIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { COOKIE_PLACE_ID } from "@/ui/cookies/consent";
import { pages } from "../../build/pages.mjs";
import html from "../../index.html?raw";
import { firstScreenReady, previewReady } from "./firstScreen";
import { frameNames, renderCookieNotice, renderShell } from "./shells";

test("no frame is without a page that shows it", () => {
  const framed = pages.filter(({ shell }) => shell === "frame").map(({ name }) => name);
  expect(framed).toEqual(expect.arrayContaining(frameNames));
});

/**
 * Renders a template as the server does: a condition holds if it is listed, and each list has one
 * row. Variables stay.
 */
function rendered(template: string, holding: readonly string[]): string {
  const condition = /{% if ([^%]+) %}((?:(?!{%).)*){% else %}((?:(?!{%).)*){% endif %}/gs;
  const list = /{% for [^%]+ %}((?:(?!{%).)*){% endfor %}/gs;
  const next = template
    .replaceAll(condition, (_, name, then, otherwise) =>
      holding.includes(name) ? then : otherwise,
    )
    .replaceAll(list, "$1");
  return next === template ? template : rendered(next, holding);
}

const shellOf = async (page: (typeof pages)[number], holding: readonly string[] = []) => {
  const root = document.createElement("div");
  root.innerHTML = rendered(await renderShell(page), holding);
  return root;
};

const variants = pages.flatMap(({ name, personal }) =>
  ["nothing", ...(personal ? [personal] : [])].map((holding) => ({ name, holding })),
);

describe.each(variants)("the shell of $name with $holding", ({ name, holding }) => {
  const declared = pages.find((page) => page.name === name);
  const shell = async () => {
    if (!declared) throw new Error(`No page is named ${name}`);
    return shellOf(declared, [holding]);
  };

  test("has the landmarks of a page", async () => {
    const root = await shell();
    const page = within(render(<div ref={(place) => place?.replaceChildren(root)} />).container);
    expect(page.getByRole("banner")).toBeVisible();
    expect(page.getByRole("main")).toBeVisible();
    expect(page.getByRole("main")).toHaveAttribute("id", "main");
    expect(page.getByRole("contentinfo")).toHaveTextContent("Blockchain timestamp");
  });

  test("accepts no input that would be lost", async () => {
    const root = await shell();
    for (const control of root.querySelectorAll("input, textarea, select, button")) {
      expect(control.closest("[inert]")).not.toBeNull();
    }
  });

  test("says what it waits for, unless it only has something to read", async () => {
    const main = await shell();
    const toRead = ["about", "privacyPolicy", "terms", "dataHandling", "notFound"];
    const access = declared?.access;
    const isVerified = access === "recipient" || access === "signedIn";
    const statuses = [...main.querySelectorAll("[role=status]")].map((one) => one.textContent);
    if (toRead.includes(name)) expect(statuses).toEqual([]);
    else expect(statuses[0]).toMatch(isVerified ? /^Verifying access/ : /^(Loading|Verifying)/);
  });

  test("has nothing that the page's policy forbids", async () => {
    expect((await shell()).querySelector("style, script, [style]")).toBeNull();
  });
});

const collect = pages.find(({ name }) => name === "collect");

test("the first page of a link shows what the server knows of the link, and else nothing", async () => {
  if (!collect) throw new Error("No page is named collect");
  const preview = await shellOf(collect, ["preview"]);
  expect(preview.querySelector("h1")).toHaveTextContent(
    "{{ preview.sharer }} would like to show you an idea",
  );
  expect(preview).toHaveTextContent("{{ preview.title }}");
  expect(preview).not.toHaveTextContent("we will send you a code");
  expect(await shellOf(collect, ["preview", "preview.needs_code"])).toHaveTextContent(
    "we will send you a code",
  );
  const waiting = await shellOf(collect);
  expect(waiting).toHaveTextContent("Verifying access...");
  expect(waiting).not.toHaveTextContent("{{");
});

test("the preview of a link is what its page shows", async () => {
  if (!collect) throw new Error("No page is named collect");
  const shared = aSharedIdea("collect");
  respondWith("get", "/api/share/tok", 200, shared);
  renderRoute("/view/tok");
  await screen.findByLabelText("Full name");
  const shown = document.querySelector("main")?.textContent;
  const preview = (await shellOf(collect, ["preview"])).querySelector("main")?.textContent;
  expect(
    preview
      ?.replaceAll("{{ preview.sharer }}", shared.idea.user.name)
      .replaceAll("{{ preview.title }}", shared.idea.title),
  ).toBe(shown);
});

/** The text of the page's main part, as its document shows it before the page runs. */
async function shownBefore(
  name: string,
  holding: readonly string[],
  values: Record<string, string>,
) {
  const page = pages.find((page) => page.name === name);
  if (!page) throw new Error(`No page is named ${name}`);
  const main = (await shellOf(page, holding)).querySelector("main");
  const text = main?.textContent ?? "";
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{{ ${name} }}`, value),
    text,
  );
}

const DOCUMENT_ID = "IV-20261120-0001";

test("the document of an agreement's page begins as the page does", async () => {
  const shared = aSharedIdea("nda", { idea: { documentId: DOCUMENT_ID } });
  respondWith("get", "/api/share/tok", 200, shared);
  renderRoute("/nda/tok");
  const region = await screen.findByRole("region", { name: "Agreement text" });
  region.replaceChildren("{{ agreement.text }}");
  const before = await shownBefore("nda", ["agreement", "agreement.document_id"], {
    "agreement.sharer": shared.idea.user.name,
    "agreement.title": shared.idea.title,
    "agreement.recipient": shared.recipient?.name ?? "",
    "agreement.document_id": DOCUMENT_ID,
  });
  // Below it, the page says whether the text was read to its end.
  const [beginning = "", answers] = before.split("{{ agreement.text }}");
  expect(document.querySelector("main")?.textContent).toContain(`${beginning}{{ agreement.text }}`);
  expect(answers).toContain("Please read the full agreement");
});

test("the document of a document's page begins as the page does", async () => {
  const shared = aSharedIdea("open", {
    viewEndsAt: null,
    idea: { documentId: DOCUMENT_ID, content: "<p>{{ document.text }}</p>" },
  });
  respondWith("get", "/api/share/tok", 200, shared);
  respondWith("get", "/api/comments", 200, []);
  renderRoute("/document/tok");
  await screen.findByText("{{ document.text }}");
  const before = await shownBefore("document", ["document", "document.document_id"], {
    "document.sharer": shared.idea.user.name,
    "document.title": shared.idea.title,
    "document.document_id": DOCUMENT_ID,
  });
  const [facts = "", text] = before.split("{{ document.text }}");
  expect(text).toBe("");
  expect(document.querySelector("main")?.textContent).toContain(facts);
});

describe("the document of the dashboard begins as the page does", () => {
  const draft = aListedIdea({ id: 7, title: "Folding loom" });
  const published = aListedIdea({ ...draft, status: "published" });
  const some = "portfolio.drafts.cards or portfolio.published.cards";
  const drafts = ["portfolio", some, "portfolio.drafts.cards"];
  const both = [...drafts, "portfolio.published.cards"];

  test.each([
    { with: "no ideas", ideas: [], holding: ["portfolio"] },
    { with: "both kinds of ideas", ideas: [draft, published], holding: [...both, "idea.title"] },
    {
      with: "ideas without a title",
      ideas: [draft, published].map((idea) => ({ ...idea, title: "" })),
      holding: both,
    },
    {
      with: "more drafts than it shows at first",
      ideas: [0, 1, 2, 3, 4, 5, 6, 7].map((more) => ({ ...draft, id: draft.id + more })),
      holding: [...drafts, "idea.title", "portfolio.drafts.more"],
    },
  ])("with $with", async ({ ideas, holding }) => {
    signedIn();
    respondWith("get", "/api/ideas", 200, ideas);
    renderRoute("/dashboard");
    await screen.findByText("My Assets");
    // The list that is filled in for tests has one row.
    for (const card of document.querySelectorAll("main li + li")) card.remove();
    const [shown = ""] = document.querySelector("main")?.textContent.split("My Assets") ?? [];
    const draftCount = ideas.filter(({ status }) => status === "draft").length;
    const text = await shownBefore("dashboard", holding, {
      "idea.id": "7",
      "idea.title": draft.title,
      "portfolio.drafts.count": String(draftCount),
      "portfolio.drafts.more": String(draftCount - 6),
      "portfolio.published.count": String(ideas.length - draftCount),
    });
    // Only their places are kept.
    const timesAndFacts = /(?<=Blockchain Timestamp: ).*?(Text · 0 links · 0 views|\u00a0)/g;
    expect(text.replaceAll(timesAndFacts, "")).toBe(shown.replaceAll(timesAndFacts, ""));
  });
});

test("the document of a PDF's page has its title, and a place as high as the viewer", async () => {
  const page = pages.find(({ name }) => name === "document");
  if (!page) throw new Error("No page is named document");
  const shell = await shellOf(page, ["document and document.pdf", "document.document_id"]);
  expect(shell.querySelector("h1")).toHaveTextContent("{{ document.title }}");
  expect(shell).toHaveTextContent("Shared by {{ document.sharer }}");
  expect(shell.querySelector("article [role=status]")?.parentElement).toHaveClass(
    ...placeholderStyles.split(" "),
  );
});

test.each(pages.filter(({ personal }) => personal))(
  "$name goes on from what its document shows",
  async ({ paths: [path = ""] }) => {
    const route = [...everyone, ...recipient, ...signedInRoutes].find(
      (route) => route.path === path,
    );
    expect((await route?.lazy())?.handle.prepare).toBeTypeOf("function");
  },
);

test("the first stop of every document skips to its content, and stays when the page runs", () => {
  const written = new DOMParser().parseFromString(html, "text/html");
  const [first] = written.querySelectorAll("a, button, input");
  expect(first?.textContent?.trim()).toBe("Skip to content");
  expect(first?.getAttribute("href")).toBe("#main");
  expect(first?.closest("#root")).toBeNull();
  expect(first?.compareDocumentPosition(written.querySelector("#root") as Node)).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
});

test("the question about cookies is in every document, and the page takes it over", async () => {
  localStorage.removeItem("cookieConsent");
  const place = document.body.appendChild(document.createElement("div"));
  place.id = COOKIE_PLACE_ID;
  place.innerHTML = renderCookieNotice();
  const written = within(place).getByRole("region", { name: "Cookies" });
  for (const control of written.querySelectorAll("button")) {
    expect(control).toHaveAttribute("inert");
  }
  const { user, path } = renderRoute("/about");
  const decline = within(written).getByText("Decline");
  await waitFor(() => expect(decline).not.toHaveAttribute("inert"));
  expect(document.querySelectorAll("[aria-label=Cookies]")).toHaveLength(1);
  await user.click(within(written).getByRole("link", { name: "Learn more" }));
  await waitFor(() => expect(path()).toBe("/privacy-policy"));
  await user.click(decline);
  await waitFor(() => expect(place).toBeEmptyDOMElement());
  expect(localStorage.getItem("cookieConsent")).toBe("false");
  place.remove();
});

// Pages that need an address with a token, or calls, before they have their heading are left out.
const startingAlike = pages.filter(
  ({ name, shell, paths: [path] }) =>
    name === "landing" || (shell === "page" && !path?.includes(":")),
);

test.each(startingAlike)("the shell of $name has its page's heading and title", async (page) => {
  const [path = "/"] = page.paths;
  renderRoute(path === "*" ? "/no-such-page" : path);
  await waitFor(() => expect(document.title).toBe(`${page.title} · IdeaVault`));
  const root = document.createElement("div");
  root.innerHTML = await renderShell(page);
  expect(root.querySelector("h1")).toHaveTextContent(
    document.querySelector("h1")?.textContent ?? "none",
  );
});

describe("a page that shows a preview of its link", () => {
  const start = async (root: string) => {
    const prepare = prepareVisit();
    document.body.innerHTML = `<div id="root">${root}</div>`;
    const asked = respondWith("get", "/api/share/tok", 200, aSharedIdea("collect"));
    const runtime = createAppRuntime();
    await runtime.loadApi();
    for (const address of ["/view/tok", "/view?accessToken=tok"]) {
      const routes = [{ path: "/view/:accessToken?", element: null, handle: { prepare } }];
      const router = createMemoryRouter(routes, { initialEntries: [address] });
      await previewReady(router, runtime);
    }
    return { asked, visit: selectVisit(runtime.store.getState()) };
  };

  test("is ready once the link is looked up, which happens once", async () => {
    const { asked, visit } = await start("<div data-preview></div>");
    expect(visit).toMatchObject({ token: "tok", status: "valid" });
    expect(asked).toHaveLength(1);
  });

  test("waits for nothing without a preview", async () => {
    const { asked, visit } = await start("");
    expect(visit).toBeNull();
    expect(asked).toEqual([]);
  });
});

test("the first screen is ready once its code and its loader are", async () => {
  let open = (_: null) => {};
  const gate = new Promise<null>((resolve) => {
    open = resolve;
  });
  const router = createMemoryRouter([{ path: "/", loader: () => gate, element: null }]);
  let isReady = false;
  const ready = firstScreenReady(router).then(() => {
    isReady = true;
  });
  await Promise.resolve();
  expect(isReady).toBe(false);
  open(null);
  await ready;
  await firstScreenReady(router);
  expect(router.state.initialized).toBe(true);
});
