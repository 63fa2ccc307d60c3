import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errorToast, successToast } from "@/store/toastSlice";
import { renderRoute } from "@/testing/render";

afterEach(() => void vi.unstubAllGlobals());

const area = () => screen.findByRole("region", { name: "Notifications (F8)" });

test("shows one toast at a time: the newest", async () => {
  const { store } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(successToast("first")));
  await within(await area()).findByText("first");
  act(() => void store.dispatch(errorToast("second")));
  await within(await area()).findByText("second");
  await waitFor(async () => expect(await area()).not.toHaveTextContent("first"));
});

test("disappears when it is dismissed", async () => {
  const { store, user } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(errorToast("gone soon")));
  await user.click(await screen.findByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText("gone soon")).not.toBeInTheDocument());
});

test("leaves Escape to an open dialog, and handles it when there is none", async () => {
  const { store, user } = renderRoute("/");
  await user.click(await screen.findByRole("button", { name: "Get Started" }));
  const dialog = await screen.findByRole("dialog");
  act(() => void store.dispatch(successToast("on top")));
  await screen.findByText("on top");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByText("on top")).toBeInTheDocument();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("on top")).not.toBeInTheDocument());
});

test("takes focus on F8", async () => {
  const { store, user } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(successToast("here")));
  await within(await area()).findByText("here");
  const list = within(await area()).getByRole("list");
  expect(list).not.toHaveFocus();
  await user.keyboard("[F8]");
  await waitFor(() => expect(list).toHaveFocus());
});

/** Mocks the layout: this element fills the window between two heights, in pixels. */
function fill(element: () => Element, from: number, to: number) {
  vi.spyOn(document, "elementsFromPoint").mockImplementation((_, y) => {
    if (y >= innerHeight) return [];
    return y >= from && y < to ? [element()] : [document.body];
  });
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 375, 80));
}

/** Mocks the observer of sizes; the returned function calls it back, as browsers do on a layout. */
function mockLayout() {
  let look: () => void = () => undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        look = callback;
      }
      observe() {}
      disconnect() {}
      unobserve() {}
    },
  );
  return () => look();
}

const aLink = () => screen.getAllByRole("link")[0] ?? document.body;
const toasts = async () => (await area()).closest("[data-toasts]");

async function showToast() {
  const layout = mockLayout();
  const app = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void app.store.dispatch(successToast("here")));
  const toast = await within(await area()).findByRole("listitem");
  return { ...app, toast, layout };
}

test("goes below controls that it would cover, before it is painted", async () => {
  fill(aLink, 0, 64);
  const { layout } = await showToast();
  const place = await toasts();
  // Not in act(), which would wait for what React does after the paint.
  layout();
  expect(place).toHaveStyle({ top: "72px" });
});

test.each([
  ["text that is being written", '<div contenteditable="true"><p></p></div>'],
  ["an open menu", '<div role="menuitemradio"><p></p></div>'],
  ["a frame", "<iframe><p></p></iframe>"],
  ["a question", '<div role="alertdialog"><p></p></div>'],
  ["the title of a dialog", '<div role="dialog"><h2><p></p></h2></div>'],
])("goes below %s", async (_, html) => {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  fill(() => holder.querySelector("p") ?? holder.querySelector("iframe") ?? holder, 0, 64);
  const { layout } = await showToast();
  act(layout);
  expect(await toasts()).toHaveStyle({ top: "72px" });
});

test("is at the upper edge where controls are everywhere, and takes the presses on it", async () => {
  fill(aLink, 0, 64);
  const { toast, layout } = await showToast();
  act(layout);
  fill(aLink, 0, 10_000);
  act(layout);
  expect(await toasts()).toHaveStyle({ top: "0px" });
  expect(toast).toHaveClass("pointer-events-auto");
});

test("comes back into a window that has become smaller", async () => {
  fill(aLink, 0, 300);
  const { layout } = await showToast();
  act(layout);
  expect(await toasts()).toHaveStyle({ top: "300px" });
  vi.stubGlobal("innerHeight", 320);
  fill(aLink, 0, 64);
  act(layout);
  expect(await toasts()).toHaveStyle({ top: "72px" });
});

test("can be dismissed after an Escape that something else on the page has used", async () => {
  const { user } = await showToast();
  const field = document.body.appendChild(document.createElement("input"));
  field.addEventListener("keydown", (event) => event.stopPropagation());
  field.focus();
  await user.keyboard("{Escape}");
  field.remove();
  expect(screen.getByText("here")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText("here")).not.toBeInTheDocument());
});
