import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IDLE_TIMEOUT_MS, SLOW_AFTER_MS, StallDetector, TRANSFER_TIMEOUT_MS } from "./stall";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const open = new AbortController().signal;
const never = new Promise<never>(() => undefined);

/** Whether guarded work that never ends has failed by now. */
function waiting(detector: StallDetector) {
  const state = { failed: false };
  detector.guard(never).catch(() => {
    state.failed = true;
  });
  return state;
}

test("stalled work fails, with the reason", async () => {
  const detector = new StallDetector(open);
  const failure = expect(detector.guard(never)).rejects.toHaveProperty("name", "StallError");
  await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS + 1_000);
  await failure;
});

test("work that ends in time returns its result, and leaves no timer", async () => {
  const detector = new StallDetector(open);
  await expect(detector.guard(Promise.resolve(7))).resolves.toBe(7);
  await expect(detector.guard(Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

test("progress extends the deadline", async () => {
  const detector = new StallDetector(open);
  const state = waiting(detector);
  await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS - 2_000);
  detector.moved();
  await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS - 2_000);
  expect(state.failed).toBe(false);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(state.failed).toBe(true);
});

test("a running transfer may take longer, up to a limit", async () => {
  const detector = new StallDetector(open);
  const state = waiting(detector);
  void detector.transfer(never);
  await vi.advanceTimersByTimeAsync(TRANSFER_TIMEOUT_MS - 2_000);
  expect(state.failed).toBe(false);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(state.failed).toBe(true);
});

test("work without progress is reported as slow, and no longer once it moves again", async () => {
  const reports: boolean[] = [];
  const detector = new StallDetector(open, (isSlow) => reports.push(isSlow));
  void detector.transfer(never);
  const state = waiting(detector);
  await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS - 1_000);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reports).toEqual([true]);
  detector.moved();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reports).toEqual([true, false]);
  // A transfer that moves now and then may take as long as it needs.
  for (let time = 0; time < 2 * TRANSFER_TIMEOUT_MS; time += SLOW_AFTER_MS) {
    detector.moved();
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS);
  }
  expect(state.failed).toBe(false);
});

test("nothing counts as stalled in a hidden tab", async () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const state = waiting(new StallDetector(open));
  await vi.advanceTimersByTimeAsync(3 * IDLE_TIMEOUT_MS);
  expect(state.failed).toBe(false);
  hidden.mockReturnValue(false);
  await vi.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS + 1_000);
  expect(state.failed).toBe(true);
});

test("nothing is watched once the file is closed", async () => {
  const stop = new AbortController();
  const detector = new StallDetector(stop.signal);
  detector.guard(never).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(1);
  stop.abort();
  detector.guard(never).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
});
