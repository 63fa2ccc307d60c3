import { describe, expect, it, vi } from "vitest";
import { createTestEditor, htmlOf } from "../extensions/testEditor";
import { losesContent, readClipboard } from "./clipboardDocument";
import { readRtfPictures } from "./rtfPictures";

const losses = (html: string, rtf = "") => readClipboard(html, rtf).losses;
const wordMarker = (marker: string) => `<span style="mso-list:Ignore">${marker}&nbsp; </span>`;
const wordList = (...markers: string[]) =>
  markers.map((marker) => `<p style="mso-list:l0 level1 lfo1">${wordMarker(marker)}a</p>`).join("");
const NOTHING = { pictures: 0, objects: 0, tables: 0, formatting: [], isIntoCode: false };

describe("parsing a paste", () => {
  it("hands nothing to the browser that the page's policy would report", () => {
    const parse = vi.spyOn(DOMParser.prototype, "parseFromString");
    const word =
      "<html><head><style>\n<!-- p.MsoNormal {color:red} -->\n</style></head><body><STYLE>p{}</STYLE>" +
      '<p class="MsoNormal" style="color:red" onclick="a()" ONMOUSEOVER = b>Set onload = 5, &lt;style&gt;</p></body></html>';
    const { body } = readClipboard(word, "");
    expect(parse.mock.calls[0]?.[0]).not.toMatch(/<style|onclick|onmouseover/i);
    expect(body.textContent).toBe("Set onload = 5, <style>");
    expect(body.querySelector("p")?.getAttribute("style")).toBe("color:red");
  });
});

describe("what a paste loses", () => {
  it.each([
    ["plain text", "<p>a <b>b</b></p>"],
    ["Word's list that goes on", wordList("1.", "2.", "3.")],
    ["a table", "<table><tr><td>a</td><td>b</td></tr></table>"],
    [
      "a table that lays out a table",
      "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>",
    ],
    ["an image as data", '<img src="data:image/png;base64,AAAA">'],
    ["a pixel that counts readers", '<img src="https://t.example/p.gif" width="1" height="1">'],
    [
      "a link, underlined",
      '<p><u><a href="https://x.example">a</a></u><a href="https://x.example"><u>b</u></a></p>',
    ],
    ["text at the start", '<p align="left" style="text-align:start">a</p>'],
    [
      "numbers of Word, its bullets and numbered headings",
      `<p>${wordMarker("2.")}a</p><p>${wordMarker("o")}b</p><h2>${wordMarker("2.1")}c</h2>`,
    ],
    [
      "numbers of Google Docs",
      '<ol><li style="list-style-type:decimal">a</li></ol><ul type="disc"><li>a</li></ul>',
    ],
    ["an empty centred line", '<p style="text-align:center"> </p>'],
  ])("is nothing for %s", (_name, html) => {
    expect(losses(html)).toEqual(NOTHING);
  });

  it.each([
    [
      "pictures elsewhere",
      '<img src="https://a.example/1.png"><img src="file:///C:/2.png">',
      { pictures: 2 },
    ],
    ["drawings and formulas", "<svg><svg></svg></svg><math></math><video></video>", { objects: 3 }],
    ["a frame that is no video", '<iframe src="https://a.example"></iframe>', { objects: 1 }],
    [
      "a table in a cell",
      "<table><tr><td>x</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>",
      { tables: 1 },
    ],
    [
      "a spreadsheet",
      `<table>${"<tr><td>a</td><td>b</td></tr>".repeat(1_001)}</table>`,
      { tables: 1 },
    ],
    [
      "underlining",
      '<p><u>a</u><span style="text-decoration:underline">b</span></p>',
      { formatting: ["underline"] },
    ],
    [
      "alignment",
      '<p align=center>a</p><p style="text-align:right">b</p>',
      { formatting: ["alignment"] },
    ],
    ["letters of Word", `<p>${wordMarker("a)")}a</p>`, { formatting: ["numbering"] }],
    ["several numbers of Word", `<p>${wordMarker("2.1.")}a</p>`, { formatting: ["numbering"] }],
    ["Word's list that begins anew", wordList("1.", "2.", "1."), { formatting: ["numbering"] }],
    ["letters of lists", "<ol type=a><li>a</li></ol>", { formatting: ["numbering"] }],
    [
      "letters of Google Docs",
      '<ol><li style="list-style-type:lower-roman">a</li></ol>',
      { formatting: ["numbering"] },
    ],
  ])("names %s", (_name, html, expected) => {
    expect(losses(html)).toEqual({ ...NOTHING, ...expected });
    expect(losesContent(losses(html))).toBe(!("formatting" in expected));
  });
});

describe("Word's shapes", () => {
  const picture = (src: string, attributes = "") =>
    `<v:shapetype id="_x0000_t75" filled="f">\n <v:stroke joinstyle="miter"/>\n <v:formulas>\n  <v:f eqn="sum @0 1 0"/>\n </v:formulas>\n <o:lock v:ext="edit" aspectratio="t"/>\n</v:shapetype><v:shape id="Picture_1" ${attributes} style='width:150pt;height:90pt'>\n <v:imagedata src="${src}" o:title=""/>\n</v:shape>`;
  const paragraph = (content: string) =>
    `<p class=MsoNormal><span style='mso-no-proof:yes;white-space:pre'>${content}</span><o:p></o:p></p>`;
  const FILE = "file:///C:/1.png";

  it("are pictures, announced like others, and leave no paragraph", () => {
    const { body, losses: lost } = readClipboard(`<p>a</p>${paragraph(picture(FILE))}<p>b</p>`, "");
    expect(lost).toEqual({ ...NOTHING, pictures: 1 });
    expect(htmlOf(editorWith(body))).toBe("<p>a</p><p>b</p>");
  });

  it("take their picture from the RTF", () => {
    const rtf = "{\\rtf1 {\\pict\\pngblip 89504e47}}";
    const { body, losses: lost } = readClipboard(paragraph(picture(FILE, 'alt="Valve"')), rtf);
    expect(lost).toEqual(NOTHING);
    expect(htmlOf(editorWith(body))).toBe(
      '<img src="data:image/png;base64,iVBORw==" alt="Valve" width="200" height="120">',
    );
  });

  it("count once beside the same picture for other programs", () => {
    const image = `<img src="${FILE}" v:shapes="Picture_1">`;
    expect(losses(paragraph(picture(FILE) + image))).toEqual({ ...NOTHING, pictures: 1 });
  });

  it("are drawings without a picture, and words where they have some", () => {
    expect(losses("<p><v:rect style='width:9pt'>\n</v:rect></p>")).toEqual({
      ...NOTHING,
      objects: 1,
    });
    const box = "<v:shape><v:textbox><p>In a box</p></v:textbox></v:shape>";
    const { body, losses: lost } = readClipboard(`<p>a</p><p><span>${box}</span></p>`, "");
    expect(lost).toEqual(NOTHING);
    expect(body.textContent).toBe("aIn a box");
  });

  it("keep the words that follow an element without an end", () => {
    const { body } = readClipboard("<p><v:line from='0,0' to='9,9'/>Words <b>after</b> it</p>", "");
    expect(body.textContent).toBe("Words after it");
  });
});

/** Imports a clipboard as it was read. */
function editorWith(body: HTMLElement) {
  return createTestEditor(body.innerHTML, "foreign");
}

describe("Word's pictures", () => {
  const png =
    "{\\pict{\\*\\picprop\\shplid1}\\picscalex100\\pngblip\\bliptag-12{\\*\\blipuid 00ff}89504e\r\n47}";
  const jpeg = "{\\pict\\jpegblip\\picw1 ffd8}";
  const emf = "{\\pict\\emfblip 0102}";
  const word = (...groups: string[]) =>
    `{\\rtf1 {\\info a\\}b}${groups.map((group) => `{\\*\\shppict${group}}{\\nonshppict{\\pict\\wmetafile8 00}}`).join("text")}}`;

  it("are read from the RTF in their order", () => {
    expect(readRtfPictures(word(png, emf, jpeg))).toEqual([
      "data:image/png;base64,iVBORw==",
      null,
      "data:image/jpeg;base64,/9g=",
    ]);
  });

  it("are none in text without any, or in truncated text", () => {
    expect(readRtfPictures("")).toEqual([]);
    expect(readRtfPictures("{\\rtf1 a}")).toEqual([]);
    expect(readRtfPictures("{\\rtf1 {\\pict\\pngblip 8")).toEqual([null]);
  });

  it("replace the files that the browser cannot read", () => {
    const html = '<p>a<img src="file:///C:/1.png"></p><img src="file:///C:/2.jpg">';
    const { body, losses: lost } = readClipboard(html, word(png, jpeg));
    expect([...body.querySelectorAll("img")].map(({ src }) => src)).toEqual([
      "data:image/png;base64,iVBORw==",
      "data:image/jpeg;base64,/9g=",
    ]);
    expect(lost).toEqual(NOTHING);
  });

  it("are lost where their order is ambiguous", () => {
    expect(losses('<img src="file:///C:/1.png">', word(png, jpeg))).toEqual({
      ...NOTHING,
      pictures: 1,
    });
    expect(losses('<img src="file:///C:/1.png">', word(emf))).toEqual({ ...NOTHING, pictures: 1 });
  });
});
