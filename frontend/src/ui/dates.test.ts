import { afterEach, expect, test, vi } from "vitest";
import { formatDateTime, formatDateTimeSeconds, zoneAt } from "./dates";

afterEach(() => vi.restoreAllMocks());

const parts = {
  year: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "shortOffset",
} as const;
const short = new Intl.DateTimeFormat("en", { ...parts, month: "short" });
const long = new Intl.DateTimeFormat("en", { ...parts, month: "long", second: "2-digit" });

/** Some versions of ICU write a narrow space before AM and PM; UTC is "GMT" or "GMT+0" there. */
const plain = (text: string) => text.replaceAll("\u202f", " ").replace(/GMT(\+0)?$/, "UTC");

const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 3, 9, 5, 7));
const hours = [0, 1, 11, 12, 13, 23].map((hour) => new Date(2024, 1, 29, hour, 59, 59));

test.each([...months, ...hours])("formats %s as browsers do in English", (at) => {
  expect(formatDateTime(at)).toBe(plain(short.format(at)));
  expect(formatDateTimeSeconds(at.toISOString())).toBe(plain(long.format(at)));
});

test.each([
  [0, "UTC"],
  [-60, "GMT+1"],
  [480, "GMT-8"],
  [-345, "GMT+5:45"],
  [210, "GMT-3:30"],
])("names a zone that is %i minutes behind UTC %s", (offset, zone) => {
  vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(offset);
  expect(zoneAt(new Date())).toBe(zone);
  expect(formatDateTime(new Date(2026, 10, 27, 22, 5))).toBe(`Nov 27, 2026, 10:05 PM ${zone}`);
});
