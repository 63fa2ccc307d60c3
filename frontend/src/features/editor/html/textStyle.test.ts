import { describe, expect, it } from "vitest";
import { formatTextStyle, parseTextStyle } from "./textStyle";

describe("an inline style", () => {
  it.each([
    ["color: #E60000", "color:#e60000"],
    ["background-color: #fc0; color: rgb(1, 2, 3);", "color:#010203;background-color:#ffcc00"],
    ["color:red", ""],
    ["color:rgba(0,0,0,.5)", ""],
    ["color:rgb(0,0,256)", ""],
    ["color:#12345", ""],
    ["color:var(--x);background:url(x)", ""],
    ["font-size:90px;position:fixed;color:#111111", "color:#111111"],
    ["", ""],
  ])("%j is stored as %j", (css, stored) => {
    expect(formatTextStyle(parseTextStyle(css))).toBe(stored);
  });
});
