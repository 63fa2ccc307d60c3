import { act, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useNear } from "./useNear";

let report: (isIntersecting: boolean) => void = () => undefined;
const disconnect = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        report = (isIntersecting) => callback([{ isIntersecting }]);
      }
      observe() {}
      disconnect = disconnect;
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Panel() {
  const place = useRef<HTMLDivElement>(null);
  return useNear(place) ? <p>Comments</p> : <div ref={place} />;
}

test("shows what comes near the viewport, and then observes no more", () => {
  render(<Panel />);
  act(() => report(false));
  expect(screen.queryByText("Comments")).not.toBeInTheDocument();
  act(() => report(true));
  expect(screen.getByText("Comments")).toBeInTheDocument();
  expect(disconnect).toHaveBeenCalledOnce();
});

test("shows what nobody scrolls to once the page has been idle", async () => {
  render(<Panel />);
  expect(screen.queryByText("Comments")).not.toBeInTheDocument();
  await act(() => vi.runAllTimersAsync());
  expect(screen.getByText("Comments")).toBeInTheDocument();
});

test("a late report that it is far away hides nothing", async () => {
  render(<Panel />);
  await act(async () => {
    await vi.runAllTimersAsync();
    report(false);
  });
  expect(screen.getByText("Comments")).toBeInTheDocument();
});
