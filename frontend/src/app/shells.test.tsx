import { render, waitFor, within } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { describe, expect, test } from "vitest";
import { renderRoute } from "@/testing/render";
import { COOKIE_PLACE_ID } from "@/ui/cookies/consent";
import { pages } from "../../build/pages.mjs";
import html from "../../index.html?raw";
import { firstScreenReady } from "./firstScreen";
import { frameNames, renderCookieNotice, renderShell } from "./shells";

test("no frame is without a page that shows it", () => {
  const framed = pages.filter(({ shell }) => shell === "frame").map(({ name }) => name);
  expect(framed).toEqual(expect.arrayContaining(frameNames));
});

describe.each(pages)("the shell of $name", (declared) => {
  const shell = async () => {
    const root = document.createElement("div");
    root.innerHTML = await renderShell(declared);
    return root;
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

  test("has nothing that the page's policy forbids", async () => {
    expect((await shell()).querySelector("style, script, [style]")).toBeNull();
  });
});

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
