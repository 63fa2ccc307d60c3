import { act } from "@testing-library/react";
import { vi } from "vitest";

/**
 * Holds back every timer of exactly `delay` milliseconds, and lets all others run: what a delay of
 * the specification holds up must not happen before `release`, and must happen then.
 */
export function holdTimers(delay: number) {
  const held = new Map<number, () => void>();
  const start = globalThis.setTimeout.bind(globalThis);
  const stop = globalThis.clearTimeout.bind(globalThis);
  let next = -1;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...args: unknown[]) => void,
    after?: number,
    ...args: unknown[]
  ) => {
    if (after !== delay) return start(run, after, ...args);
    held.set(next, () => run(...args));
    return next--;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation(((id?: number) => {
    if (id === undefined || !held.delete(id)) stop(id);
  }) as typeof clearTimeout);
  return {
    count: () => held.size,
    release: () =>
      act(async () => {
        const due = [...held.values()];
        held.clear();
        for (const run of due) run();
      }),
  };
}
