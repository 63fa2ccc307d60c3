import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useWasIdle } from "./useWasIdle";
import { holdBusy } from "./whenIdle";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a component learns that the page was idle, and not before", async () => {
  const release = holdBusy();
  const { result } = renderHook(useWasIdle);
  await pass(1_000);
  expect(result.current).toBe(false);
  release();
  await pass(1_000);
  expect(result.current).toBe(true);
});
