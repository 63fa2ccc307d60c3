import { expect, test } from "vitest";
import { usedStyles, withoutFonts } from "../../build/usedStyles.mjs";

const text = 'className: "flex w-1/2 md:p-2 2xl:p-4 [&>h2]:mt-1 group"';

test.each([
  [".flex{display:flex}", "a class"],
  [".w-1\\/2{width:50%}", "an escaped character"],
  ["@media (width>=48rem){.md\\:p-2{padding:1px}}", "a rule within another"],
  [".\\32 xl\\:p-4{padding:1px}", "an escaped digit"],
  [".\\[\\&\\>h2\\]\\:mt-1>h2{margin:0}", "a selector as a class"],
  [".flex,.grid{margin:0}", "one class of several"],
  ["h1:focus{outline:none}", "no class"],
  ["@font-face{font-family:a}", "a font"],
])("keeps %s: %s", (rule) => {
  expect(usedStyles(rule, text)).toBe(rule);
});

test("removes what no class in the text asks for, and what is empty then", () => {
  const sheet = ".flex{display:flex}.grid{display:grid}@layer a{@media print{.md\\:p-3{margin:0}}}";
  expect(usedStyles(sheet, text)).toBe(".flex{display:flex}");
});

test.each([
  [":root{--ink:#111;color:var(--ink)}", "a rule reads it"],
  [":root{--a:1px;--b:calc(var(--a,2px)*2);margin:var(--b)}", "another property reads it"],
  ['@property --a{syntax:"*"}.flex{margin:var(--a)}', "it is registered and read"],
  [":root{--named:1px}", "the text names it"],
])("keeps the properties of %s: %s", (sheet) => {
  expect(usedStyles(sheet, `${text} --named`)).toBe(sheet);
});

test("keeps a property that another sheet reads, but none that it only declares", () => {
  const sheet = ":root{--ink:#111;--paper:#fff}";
  const other = ".text{--paper:#eee;color:var(--ink)}";
  expect(usedStyles(sheet, text, [other])).toBe(":root{--ink:#111}");
});

test("removes the properties that nothing reads, and what is empty then", () => {
  const sheet =
    '@layer a{:root{--ink:1px}}@property --ink{syntax:"*"}.grid{margin:var(--ink)}b{top:0}';
  expect(usedStyles(sheet, text)).toBe("b{top:0}");
});

test("keeps animations, whose steps look like rules", () => {
  const animation = "@keyframes spin{0.5%{rotate:0}to{rotate:1turn}}";
  expect(usedStyles(animation, "")).toBe(animation);
});

test("leaves the fonts out of a sheet", () => {
  expect(withoutFonts("@font-face{font-family:a}.flex{display:flex}")).toBe(".flex{display:flex}");
});
