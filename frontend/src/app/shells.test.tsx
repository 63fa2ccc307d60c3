import { render, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, type RouteObject } from "react-router";
import { describe, expect, test } from "vitest";
import { createAppRuntime } from "@/store/store";
import { renderRoute } from "@/testing/render";
import { COOKIE_PLACE_ID } from "@/ui/cookies/consent";
import routes from "../../build/routes.json";
import html from "../../index.html?raw";
import { firstScreenReady } from "./firstScreen";
import { createRoutes } from "./router";
import { renderCookieNotice, renderShell, shellNames } from "./shells";

const pathsOf = (objects: RouteObject[]): string[] =>
  objects.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsOf(children ?? [])]);

test("every route of the router has a shell, and no shell is without a route", () => {
  const declared = routes.flatMap(({ paths }) => paths);
  expect(declared.toSorted()).toEqual(pathsOf(createRoutes(createAppRuntime())).toSorted());
  expect(routes.map(({ name }) => name).toSorted()).toEqual(shellNames.toSorted());
});

describe.each(shellNames)("the shell of %s", (name) => {
  const shell = () => {
    const root = document.createElement("div");
    root.innerHTML = renderShell(name);
    return root;
  };

  test("has the landmarks of a page", () => {
    const page = within(render(<div ref={(root) => root?.replaceChildren(shell())} />).container);
    expect(page.getByRole("banner")).toBeVisible();
    expect(page.getByRole("main")).toBeVisible();
    expect(page.getByRole("main")).toHaveAttribute("id", "main");
    expect(page.getByRole("contentinfo")).toHaveTextContent("Blockchain timestamp");
  });

  test("accepts no input that would be lost", () => {
    const root = shell();
    for (const control of root.querySelectorAll("input, textarea, select, button")) {
      expect(control.closest("[inert]")).not.toBeNull();
    }
  });

  test("has nothing that the page's policy forbids", () => {
    expect(shell().querySelector("style, script, [style]")).toBeNull();
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

test.each(["landing", "login", "register", "forgotPassword", "about", "verify", "notFound"])(
  "the shell of %s has its page's heading and title",
  async (name) => {
    const route = routes.find((route) => route.name === name);
    const [path = "/"] = route?.paths ?? [];
    renderRoute(path === "*" ? "/no-such-page" : path);
    await waitFor(() => expect(document.title).toBe(`${route?.title} · IdeaVault`));
    const root = document.createElement("div");
    root.innerHTML = renderShell(name);
    expect(root.querySelector("h1")).toHaveTextContent(
      document.querySelector("h1")?.textContent ?? "none",
    );
  },
);

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
