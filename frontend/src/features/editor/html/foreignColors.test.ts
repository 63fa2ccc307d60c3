import { expect, test } from "vitest";
import { createTestEditor, htmlOf } from "../extensions/testEditor";
import { foreignColors } from "./foreignColors";

function colorsOf(css: string) {
  const element = document.createElement("span");
  element.setAttribute("style", css);
  return foreignColors(element, true);
}

test.each([
  ["red of Word", "#ff0000", "#b3261e"],
  ["dark red", "#c00000", "#7a1620"],
  ["blue of Word", "#0070c0", "#1a56b0"],
  ["green of Word", "#00b050", "#1d6b34"],
  ["purple of Word", "#7030a0", "#6d35a8"],
  ["orange of Google Docs", "#ff9900", "#7d5700"],
  ["a name", "navy", "#1b2f6b"],
  ["a function", "rgb(255, 0, 0)", "#b3261e"],
  ["one without commas", "rgb(255 0 0 / 1)", "#b3261e"],
  ["grey", "#808080", "#586172"],
  ["one of ours", "#14181f", "#14181f"],
])("the colour of text, %s, becomes one of ours", (_, color, expected) => {
  expect(colorsOf(`color: ${color}`)).toEqual({ color: expected });
});

test.each(["windowtext", "black", "#000", "rgb(32, 33, 36)", "#222222", "white", "#d4d4d4"])(
  "%s is the default",
  (color) => {
    expect(colorsOf(`color:${color}`)).toEqual({ color: null });
  },
);

test.each([
  ["background:yellow;mso-highlight:yellow", "#fff0a3"],
  ["background-color: #ffff00", "#fff0a3"],
  ["background: lime", "#cdf2cf"],
  ["background:aqua", "#cfe6ff"],
  ["background-color:rgb(255, 0, 255)", "#ffd6e4"],
  ["background-color:#fff0a3", "#fff0a3"],
])("the highlight %s becomes one of ours", (css, expected) => {
  expect(colorsOf(css)).toEqual({ background: expected });
});

test.each(["background:white", "background-color:#fff", "background-color:#f6f8fa"])(
  "%s is the page",
  (css) => {
    expect(colorsOf(css)).toEqual({ background: null });
  },
);

test.each([
  "color:inherit",
  "color:currentcolor;background:transparent",
  "background:url(a.png)",
  "color:rgba(255,0,0,0.4)",
])("%s says nothing", (css) => {
  expect(colorsOf(css)).toEqual({});
});

test.each([
  [
    "a highlight of Word",
    "<p>a<span style='background:yellow;mso-highlight:yellow'>b</span></p>",
    '<p>a<mark style="background-color:#fff0a3">b</mark></p>',
  ],
  [
    "a font",
    '<p><font color="#FF0000">a</font></p>',
    '<p><span style="color:#b3261e">a</span></p>',
  ],
  [
    "black within red",
    '<p><span style="color:red">a<span style="color:black">b</span></span></p>',
    '<p><span style="color:#b3261e">a</span>b</p>',
  ],
  [
    "the page within a highlight",
    '<p><span style="background:yellow">a<span style="background:white">b</span></span></p>',
    '<p><mark style="background-color:#fff0a3">a</mark>b</p>',
  ],
  [
    "the background of a block",
    '<div style="background:#1e1e1e;color:#d4d4d4">a</div>',
    "<p>a</p>",
  ],
  [
    "the blue of a link",
    '<p><a href="https://x.example/"><span style="color:#0563c1">a</span></a></p>',
    '<p><a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow">a</a></p>',
  ],
])("a paste keeps %s", (_, source, expected) => {
  expect(htmlOf(createTestEditor(source, "foreign"))).toBe(expected);
});
