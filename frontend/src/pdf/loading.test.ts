import { expect, test } from "vitest";
import { firstAttempt, type Loading, loadingReducer, problemOf } from "./loading";

const opening: Loading<string> = firstAttempt;
const ready: Loading<string> = { status: "ready", attempt: 0, document: "file" };
const failed: Loading<string> = { status: "failed", attempt: 0, problem: "gone" };

test("opens, or fails", () => {
  expect(loadingReducer(opening, { type: "opened", attempt: 0, document: "file" })).toEqual(ready);
  expect(loadingReducer(opening, { type: "failed", attempt: 0, problem: "gone" })).toEqual(failed);
});

test("closes an open document when it fails later", () => {
  expect(loadingReducer(ready, { type: "failed", attempt: 0, problem: "gone" })).toEqual(failed);
});

test("stays failed until a retry", () => {
  expect(loadingReducer(failed, { type: "opened", attempt: 0, document: "file" })).toBe(failed);
  expect(loadingReducer(failed, { type: "retried" })).toEqual({ status: "opening", attempt: 1 });
});

test("tells while opening is slow, and may begin again then", () => {
  const slow = loadingReducer(opening, { type: "slowed", attempt: 0, isSlow: true });
  expect(slow).toEqual({ status: "opening", attempt: 0, isSlow: true });
  expect(loadingReducer(slow, { type: "slowed", attempt: 0, isSlow: false })).toMatchObject({
    isSlow: false,
  });
  expect(loadingReducer(slow, { type: "opened", attempt: 0, document: "file" })).toEqual(ready);
  expect(loadingReducer(slow, { type: "retried" })).toEqual({ status: "opening", attempt: 1 });
  expect(loadingReducer(ready, { type: "slowed", attempt: 0, isSlow: true })).toBe(ready);
});

test("ignores events of an earlier attempt", () => {
  const second: Loading<string> = { status: "opening", attempt: 1 };
  expect(loadingReducer(second, { type: "opened", attempt: 0, document: "old" })).toBe(second);
  expect(loadingReducer(second, { type: "failed", attempt: 0, problem: "corrupt" })).toBe(second);
  expect(loadingReducer(second, { type: "retried" })).toBe(second);
});

const thrown = (name: string, message = "", more: object = {}) =>
  Object.assign(new Error(message), { name }, more);

test.each([
  ["locked", thrown("PasswordException", "No password given")],
  ["corrupt", thrown("InvalidPDFException", "Invalid PDF structure.")],
  ["empty", thrown("InvalidPDFException", "The PDF file is empty, i.e. its size is zero bytes.")],
  ["gone", thrown("ResponseException", "", { status: 404 })],
  ["gone", thrown("ResponseException", "", { status: 403 })],
  ["unreachable", thrown("ResponseException", "", { status: 500 })],
  ["unreachable", thrown("TypeError", "Failed to fetch")],
  ["unreachable", thrown("UnknownErrorException", "Load failed")],
  ["unreachable", { name: "WorkerError" }],
  ["corrupt", thrown("UnknownErrorException", "Page dictionary kids object is not an array.")],
  ["corrupt", undefined],
] as const)("classifies as %s: %s", (problem, error) => {
  expect(problemOf(error)).toBe(problem);
});
