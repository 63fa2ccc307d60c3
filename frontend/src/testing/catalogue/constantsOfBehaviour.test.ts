import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { errorToast, successToast } from "@/store/toastSlice";
import { respondWith } from "@/testing/api";
import { aListedIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { constants } from "./rows/constants";
import { type App, expectGone, serve } from "./testing/steps";
import { eachRow } from "./testing/table";

afterEach(() => vi.useRealTimers());

const area = () => screen.findByRole("region", { name: "Notifications (F8)" });
const showErrorToast = (app: App, text: string) =>
  act(async () => void app.store.dispatch(errorToast(text)));

async function withToast(text: string) {
  const app = renderRoute("/about");
  await screen.findByRole("heading", { name: "About Us" });
  await showErrorToast(app, text);
  const toast = (await screen.findByText(text)).closest("li");
  if (!toast) throw new Error("no toast");
  return { app, toast };
}

function swipe(toast: HTMLElement, by: number) {
  fireEvent.pointerDown(toast, { button: 0, clientX: 0, clientY: 0 });
  fireEvent.pointerMove(toast, { clientX: by, clientY: 0 });
  fireEvent.pointerUp(toast, { clientX: by, clientY: 0 });
}

/** Opens the dashboard and returns its first card, whose icons have tooltips. */
async function openCard() {
  // Loaded as on an idle page, so that the first tooltip waits only for its delay.
  await import("@/ui/TooltipWindow");
  const app = renderRoute("/dashboard");
  const edit = await screen.findByRole("link", { name: "Edit Self-watering planter" });
  const share = screen.getByRole("link", { name: "Share Self-watering planter" });
  return { app, user: app.user, router: app.router, edit, share };
}

/** Moves the pointer far away; near the element, the tooltip could still be entered. */
async function leave({ user }: App, element: HTMLElement) {
  await user.unhover(element);
  fireEvent.pointerMove(document.body, { clientX: 900, clientY: 900 });
}

const tooltip = () => screen.queryByRole("tooltip");
const expectNoTooltip = () => waitFor(() => expect(tooltip()).not.toBeInTheDocument());

const table: Record<(typeof constants.behaviour)[number], () => Promise<void>> = {
  "Toasts: one at a time": async () => {
    const { app } = await withToast("first");
    await act(async () => void app.store.dispatch(successToast("second")));
    await screen.findByText("second");
    await expectGone("first");
    expect((await area()).querySelectorAll("li")).toHaveLength(1);
  },
  "Toasts: default display 5000 ms": async () => {
    const app = renderRoute("/about");
    await screen.findByRole("heading", { name: "About Us" });
    const timers = deferTimers(5000);
    await showErrorToast(app, "for five seconds");
    await screen.findByText("for five seconds");
    await waitFor(() => expect(timers.count()).toBe(1));
    await timers.release();
    await expectGone("for five seconds");
  },
  "Toasts: max width 420px, centred at the top": async () => {
    await withToast("here");
    const strip = (await area()).closest("[data-toasts]");
    expect(strip).toHaveClass("sticky", "top-0", "mx-auto", "max-w-[420px]");
  },
  "Toasts: viewport hotkey F8": async () => {
    const { app } = await withToast("here");
    await app.user.keyboard("[F8]");
    const list = (await area()).querySelector("ol");
    await waitFor(() => expect(list).toHaveFocus());
  },
  "Toasts: swipe right with threshold 50": async () => {
    const { toast } = await withToast("swept away");
    swipe(toast, -80);
    swipe(toast, 50);
    expect(screen.getByText("swept away")).toBeVisible();
    swipe(toast, 51);
    await expectGone("swept away");
  },
  "Tooltips: open delay 700 ms": async () => {
    const { app, user, edit } = await openCard();
    const timers = deferTimers(700);
    await user.hover(edit);
    await waitFor(() => expect(timers.count()).toBe(1));
    expect(tooltip()).not.toBeInTheDocument();
    await timers.release();
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Edit");
    await leave(app, edit);
    await expectNoTooltip();
  },
  "Tooltips: skip delay 300 ms": async () => {
    const { app, user, edit, share } = await openCard();
    const timers = deferTimers(700, 300);
    await user.hover(edit);
    await waitFor(() => expect(timers.count(700)).toBe(1));
    await timers.release(700);
    await screen.findByRole("tooltip");
    await leave(app, edit);
    await waitFor(() => expect(timers.count(300)).toBe(1));
    // Within that time the next tooltip opens at once, later it does not.
    await user.hover(share);
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Share");
    expect(timers.count(700)).toBe(0);
    await leave(app, share);
    await waitFor(() => expect(timers.count(300)).toBe(1));
    await timers.release(300);
    await user.hover(edit);
    await waitFor(() => expect(timers.count(700)).toBe(1));
    expect(tooltip()).not.toBeInTheDocument();
  },
  "Tooltips: side offset 4": async () => {
    const { user, edit } = await openCard();
    const timers = deferTimers(700);
    await user.hover(edit);
    await waitFor(() => expect(timers.count()).toBe(1));
    await timers.release();
    await screen.findByRole("tooltip");
    const place = document.querySelector<HTMLElement>("[data-radix-popper-content-wrapper]");
    // Nothing has a size in jsdom, so the position is the distance alone.
    await waitFor(() => expect(place?.style.transform).toMatch(/^translate\(0px, -?4px\)$/));
  },
  "Data fetching: cached data never goes stale; no refetch on window focus; no polling":
    async () => {
      const lists = respondWith("get", "/api/ideas", 200, [aListedIdea()]);
      const { router } = await openCard();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      await act(() => router.navigate("/about"));
      await act(() => vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000));
      vi.useRealTimers();
      await router.navigate("/dashboard");
      await screen.findByRole("link", { name: "Edit Self-watering planter" });
      for (const name of ["visibilitychange", "focus", "online"]) {
        fireEvent(window, new Event(name));
        fireEvent(document, new Event(name, { bubbles: true }));
      }
      await act(() => router.navigate("/dashboard"));
      expect(lists).toHaveLength(1);
    },
  "Data fetching: no retries": async () => {
    const lists = respondWith("get", "/api/ideas", 503);
    renderRoute("/dashboard");
    expect(await screen.findAllByRole("button", { name: "Try again" })).toHaveLength(2);
    expect(lists).toHaveLength(1);
  },
};

eachRow("constants", constants.behaviour, table, async (check) => {
  serve();
  await check();
});

test("Tooltips: open on focus, and close on pressing, clicking and blurring", async () => {
  serve();
  const { edit } = await openCard();
  // Keeps the link from navigating to the editor.
  document.addEventListener("click", (event) => event.preventDefault(), { once: true });
  const endings = [
    () => fireEvent.pointerDown(edit),
    () => fireEvent.click(edit, { ctrlKey: true }),
    () => edit.blur(),
  ];
  for (const end of endings) {
    await act(async () => edit.focus());
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Edit");
    await act(async () => void end());
    await expectNoTooltip();
    fireEvent.pointerUp(document);
    await act(async () => edit.blur());
  }
});
