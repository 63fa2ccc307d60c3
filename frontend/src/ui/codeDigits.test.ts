import { expect, test } from "vitest";
import { codeDigits, signInCode } from "./codeDigits";

test.each([
  ["as it is", "123456"],
  ["with spaces around and between", " 123 456\n"],
  ["with a no-break space", "123\u00A0456"],
  ["digit by digit", "1 2 3 4 5 6"],
  ["with a dash", "123-456"],
  ["with a long dash", "123 – 456"],
  ["in full-width digits", "１２３４５６"],
  ["in Arabic digits", "١٢٣٤٥٦"],
  ["in Persian digits", "۱۲۳۴۵۶"],
  ["in Devanagari digits", "१२३४५६"],
  ["with invisible characters", "\u200B123\u2060456\uFEFF"],
  ["with a direction mark", "\u200E123456\u200F"],
  ["in quotation marks", "“123456”."],
  ["in the sentence of the mail", "Your code is 123456. It works for 10 minutes."],
  ["with other numbers", "27 November 2026: code 123 456, order 90001234"],
])("a code %s", (_, typed) => {
  expect(codeDigits(typed)).toBe("123456");
});

test.each([
  ["too few digits", "12345", "12345"],
  ["too many digits", "1234 567", "1234567"],
  ["two codes", "123456 or 654321", "123456or654321"],
  ["no digits", "my code", "mycode"],
])("%s is no code", (_, typed, expected) => {
  expect(codeDigits(typed)).toBe(expected);
});

test.each([
  ["123–456", "123456"],
  ["Your code is 123456.", "123456"],
  [" A123-456B-CDEF-GHJK ", "A123-456B-CDEF-GHJK"],
  ["123456abcdefghjk", "123456abcdefghjk"],
])("%o at a login is %o", (typed, expected) => {
  expect(signInCode(typed)).toBe(expected);
});
