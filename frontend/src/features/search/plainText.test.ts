import { expect, test } from "vitest";
import { plainText } from "./plainText";
import { sourcesOf } from "./sources";

test.each([
  ["## Similar *ideas*", "Similar ideas"],
  ["**Bold** and __bold__, ***both***", "Bold and bold, both"],
  ["*slanted* and _slanted_", "slanted and slanted"],
  ["- one\n* two\n+ three\n  - nested", "• one\n• two\n• three\n  • nested"],
  ["1. first\n2. second", "1. first\n2. second"],
  ["> quoted\n>> twice", "quoted\ntwice"],
  ["before\n\n---\n\n***\n\nafter", "before\n\nafter"],
  ["```js\nlet a_b = 1;\n```", "let a_b = 1;"],
  ["use `npm` here", "use npm here"],
  ['[a site](https://example.org/a_b "title") and ![a picture](x.png)', "a site and a picture"],
  ["~~gone~~", "gone"],
  ["2 * 3 * 4 = 24 and snake_case_name", "2 * 3 * 4 = 24 and snake_case_name"],
  ["see [1] and [2]", "see [1] and [2]"],
  ["* **Wick** – holds *water*", "• Wick – holds water"],
  ["a\r\nb\n\n\n\nc", "a\nb\n\nc"],
  ["<b>not markup</b>", "<b>not markup</b>"],
])("%j reads %j", (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});

test("an answer made for catastrophic backtracking is read at once", () => {
  const hostile = `${"*_`[".repeat(5000)}\n${"**a".repeat(5000)}`;
  expect(plainText(hostile).length).toBeGreaterThan(0);
});

test.each([
  [
    ["https://a.example/x", "http://b.example"],
    ["a.example", "b.example"],
  ],
  [
    ["https://1.example", "https://2.example", "https://3.example", "https://4.example"],
    ["1.example", "2.example", "3.example"],
  ],
  [
    ["javascript:alert(1)", "https:dashboard", "data:text/html,x", "ftp://f.example", "no address"],
    [],
  ],
  [["https://a.example/x", "https://a.example/x"], ["a.example"]],
  [["https://user:pass@evil.example/good.example"], ["evil.example"]],
])("for the citations %j it shows %j", (citations, hosts) => {
  expect(sourcesOf(citations).map(({ host }) => host)).toEqual(hosts);
});
