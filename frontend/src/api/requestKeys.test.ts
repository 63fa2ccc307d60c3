import { expect, test } from "vitest";
import type { ApiError } from "./http";
import { requestKeys } from "./requestKeys";

const failed = (status: number): ApiError => ({ status, message: "", detail: null, field: null });

test("a key is 128 random bits", () => {
  expect(requestKeys().of("comment")).toMatch(/^[0-9a-f]{32}$/);
  expect(requestKeys().of("comment")).not.toBe(requestKeys().of("comment"));
});

test.each([0, 500, 503])("a request that ended with %s may have arrived", (status) => {
  const keys = requestKeys();
  const key = keys.of("comment", { content: "Well?" });
  keys.settle(failed(status));
  expect(keys.of("comment", { content: "Well?" })).toBe(key);
  expect(keys.of("comment", { content: "Well!" })).not.toBe(key);
});

test.each([undefined, failed(400), failed(404)])("what was answered is over", (error) => {
  const keys = requestKeys();
  const key = keys.of("comment");
  keys.settle(error);
  expect(keys.of("comment")).not.toBe(key);
});
