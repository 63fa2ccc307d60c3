import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdBusy, whenIdle } from "./whenIdle";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether what began to wait is over after this time. */
async function isIdleAfter(ms: number): Promise<boolean> {
  const waited = vi.fn();
  whenIdle().then(waited);
  await vi.advanceTimersByTimeAsync(ms);
  return waited.mock.calls.length > 0;
}

test("a page is idle soon", async () => {
  expect(await isIdleAfter(500)).toBe(true);
});

test("a page is idle once nothing holds it busy, also if that begins during the wait", async () => {
  const waited = vi.fn();
  whenIdle().then(waited);
  const release = [holdBusy(), holdBusy()];
  release[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(waited).not.toHaveBeenCalled();
  release[1]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(waited).toHaveBeenCalled();
});

test("what is never done holds nothing up for ever", async () => {
  holdBusy();
  expect(await isIdleAfter(5_000)).toBe(false);
  expect(await isIdleAfter(5_000)).toBe(true);
});
