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

/** Mocks the layout: controls fill the window from the first to the second height, in pixels. */
function fillWithControls(from: number, to: number) {
  vi.spyOn(document, "elementsFromPoint").mockImplementation((_, y) =>
    y >= from && y < to ? screen.getAllByRole("link") : [document.body],
  );
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 375, 80));
  // Calls back at once, as browsers do for an element that was not observed before.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly look: () => void) {}
      observe() {
        this.look();
      }
      disconnect() {}
      unobserve() {}
    },
  );
}

test("goes below controls that it would cover", async () => {
  const { store } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  fillWithControls(0, 64);
  act(() => void store.dispatch(successToast("here")));
  await within(await area()).findByText("here");
  expect((await area()).closest("[data-toasts]")).toHaveStyle({ top: "72px" });
  expect(within(await area()).getByRole("listitem")).toHaveClass("pointer-events-auto");
});

test("lets presses through where controls are everywhere", async () => {
  const { store } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  fillWithControls(0, 10_000);
  act(() => void store.dispatch(successToast("here")));
  const toast = await within(await area()).findByRole("listitem");
  expect(toast).toHaveClass("pointer-events-none");
  expect(within(toast).getByRole("button", { name: "Dismiss" })).toHaveClass("pointer-events-auto");
});
