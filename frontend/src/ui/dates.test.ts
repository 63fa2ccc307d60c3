import { expect, test } from "vitest";
import { formatDateTime, formatDateTimeSeconds } from "./dates";

const short = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const long = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium" });

/** Some versions of ICU write a narrow space before AM and PM. */
const plain = (text: string) => text.replaceAll("\u202f", " ");

const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 3, 9, 5, 7));
const hours = [0, 1, 11, 12, 13, 23].map((hour) => new Date(2024, 1, 29, hour, 59, 59));

test.each([...months, ...hours])("formats %s as browsers do in English", (at) => {
  expect(formatDateTime(at)).toBe(plain(short.format(at)));
  expect(formatDateTimeSeconds(at.toISOString())).toBe(plain(long.format(at)));
});
