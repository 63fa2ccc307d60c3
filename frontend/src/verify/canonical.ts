import { bytesOf, sameBytes, textOf } from "./bytes";
import { messages } from "./messages";

/** Any value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The longest text that is parsed, in bytes: `bundle.json` of as many files as are read. */
const MAX_LENGTH = 48 * 1024 * 1024;

/** The largest integer that every reader of JSON represents exactly (RFC 7493 section 2.2). */
const MAX_NUMBER = 2 ** 53;

/** A parsed text, or why it was refused. */
export type Parsed<Value> =
  | { value: Value; problem?: undefined }
  | { value?: undefined; problem: string };

/**
 * Parses JSON in the one form of RFC 8785. Whatever another reader could understand differently is
 * refused: a key that occurs twice, a number that loses precision, text that is not Unicode.
 */
export function parseCanonical(bytes: Uint8Array): Parsed<Json> {
  const text = bytes.length > MAX_LENGTH ? null : textOf(bytes);
  if (text === null) return { problem: messages.json.syntax };
  try {
    const value: Json = JSON.parse(text);
    const problem = problemIn(value);
    if (problem) return { problem };
    // A key that occurred twice was read once, so the lengths differ.
    if (sameBytes(bytesOf(writeCanonical(value)), bytes)) return { value };
    return { problem: messages.json.form };
  } catch {
    return { problem: messages.json.syntax };
  }
}

/** Writes a value in the form of RFC 8785, which is that of `JSON.stringify` with sorted keys. */
export function writeCanonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${writeCanonical(field)}`);
  return `{${fields.join(",")}}`;
}

function problemIn(value: Json): string | undefined {
  if (typeof value === "string") return isUnicode(value) ? undefined : messages.json.syntax;
  if (typeof value === "number") {
    return Math.abs(value) <= MAX_NUMBER ? undefined : messages.json.number;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const isObject = !Array.isArray(value);
  for (const [key, field] of Object.entries(value)) {
    if (isObject && !isUnicode(key)) return messages.json.syntax;
    const problem = problemIn(field);
    if (problem) return problem;
  }
  return undefined;
}

/** Whether a text has no lone surrogates. */
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** Whether a value is an object. */
export const isObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the first field of an object that is not in a list. */
export const unknownField = (
  value: { [key: string]: Json },
  known: readonly string[],
): string | undefined => Object.keys(value).find((key) => !known.includes(key));
