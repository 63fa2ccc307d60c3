import { act } from "@testing-library/react";
import { vi } from "vitest";

const start = globalThis.setTimeout.bind(globalThis);
const stop = globalThis.clearTimeout.bind(globalThis);

/**
 * Holds back every timer with one of these delays in milliseconds and runs all others, to test that
 * something happens only after `release`.
 */
export function deferTimers(...delays: readonly number[]) {
  const held = new Map<number, { after: number; run: () => void }>();
  let next = -1;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...args: unknown[]) => void,
    after = 0,
    ...args: unknown[]
  ) => {
    if (!delays.includes(after)) return start(run, after, ...args);
    held.set(next, { after, run: () => run(...args) });
    return next--;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation(((id?: number) => {
    if (id === undefined || !held.delete(id)) stop(id);
  }) as typeof clearTimeout);

  const due = (delay: number) => [...held].filter(([, { after }]) => after === delay);
  return {
    count: (delay = delays[0] ?? 0) => due(delay).length,
    release: (delay = delays[0] ?? 0) =>
      act(async () => {
        for (const [id, { run }] of due(delay)) {
          held.delete(id);
          run();
        }
      }),
  };
}
