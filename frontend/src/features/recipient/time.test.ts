import { expect, test } from "vitest";
import { commentAge } from "./time";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");

test.each([
  [-5, "just now"],
  [0, "just now"],
  [59.9, "just now"],
  [60, "1 minute ago"],
  [150, "2 minutes ago"],
  [3599, "59 minutes ago"],
  [3600, "1 hour ago"],
  [7200, "2 hours ago"],
  [86_399, "23 hours ago"],
  [86_400, "1 day ago"],
  [86_400 * 40, "40 days ago"],
])("a comment of %s seconds reads %s", (seconds, expected) => {
  expect(commentAge(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(expected);
});
