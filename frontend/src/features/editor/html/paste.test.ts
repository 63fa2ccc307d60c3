import { describe, expect, it } from "vitest";
import { createTestEditor, htmlOf } from "../extensions/testEditor";

const pasted = (html: string) => htmlOf(createTestEditor(html, "foreign"));

const wordItem = (level: number, marker: string, text: string, tag = "p") =>
  `<${tag} class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></${tag}>`;

describe("pasted HTML", () => {
  it.each([
    [
      "bold and italic by tag",
      "<p><b>a</b><i>b</i><del>c</del><strike>d</strike><u>e</u></p>",
      "<p><strong>a</strong><em>b</em><s>cd</s>e</p>",
    ],
    [
      "formats by style",
      '<p><span style="font-weight:700">a</span><span style="font-style:italic">b</span><span style="text-decoration:line-through">c</span></p>',
      "<p><strong>a</strong><em>b</em><s>c</s></p>",
    ],
    ["deep headings", "<h4>a</h4><h6>b</h6>", "<h3>a</h3><h3>b</h3>"],
    ["layout white space", "<div>\n  <p>a\n   b </p>\n  <p> c</p>\n</div>", "<p>a b</p><p>c</p>"],
    ["padding with no-break spaces", "<p>&nbsp;</p><p>a&nbsp; b</p>", "<p><br></p><p>a b</p>"],
    [
      "alignment, classes, ids, handlers",
      '<p align="center" class="x" id="y" onclick="z()" style="text-align:right">a</p>',
      "<p>a</p>",
    ],
    [
      "scripts and styles",
      "<style>p{}</style><script>alert(1)</script><p>a<svg><script>x</script></svg></p><template>t</template>",
      "<p>a</p>",
    ],
    ["hidden text", '<p>a<span style="display:none">secret</span></p><p hidden>b</p>', "<p>a</p>"],
    [
      "remote images and frames",
      '<p>a<img src="https://t.example/p.gif" onerror="x()"></p><iframe src="https://evil.example"></iframe>',
      "<p>a</p>",
    ],
    [
      "a hostile link",
      '<p><a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a></p>',
      "<p>a b</p>",
    ],
    [
      "a link with attributes",
      '<a href="https://x.example/" target="_top" onclick="x()" title="t">a</a>',
      '<p><a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow">a</a></p>',
    ],
    [
      "a table",
      "<table><tr><td>a</td><td>b</td></tr><tr><td><p>c</p></td></tr></table>",
      "<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p><br></p></td></tr></tbody></table>",
    ],
    [
      "a caption, a head and a foot",
      "<table border=1><caption>Parts</caption><colgroup><col></colgroup><thead><tr><th>n</th><th>p</th></tr></thead><tfoot><tr><td>2</td><td>y</td></tr></tfoot><tbody><tr><td>1</td><td>x</td></tr></tbody></table>",
      "<p>Parts</p><table><tbody><tr><th><p>n</p></th><th><p>p</p></th></tr><tr><td><p>1</p></td><td><p>x</p></td></tr><tr><td><p>2</p></td><td><p>y</p></td></tr></tbody></table>",
    ],
    [
      "a table that only lays out a page",
      "<table><tr><td><table><tr><td>a</td></tr></table><p>b</p></td></tr></table>",
      "<p>a</p><p>b</p>",
    ],
    [
      "a table in a cell",
      "<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
      "<table><tbody><tr><td><p>a</p></td><td><p>b</p><p>c</p></td></tr></tbody></table>",
    ],
    [
      "spans beyond the table",
      '<table><tr><td rowspan="9">a</td><td colspan="900">b</td></tr></table>',
      '<table><tbody><tr><td><p>a</p></td><td colspan="99"><p>b</p></td></tr></tbody></table>',
    ],
    [
      "raised and lowered text",
      '<p>x<sup>2</sup>H<span style="vertical-align:sub">2</span>O<span style="vertical-align:super">a</span></p>',
      "<p>x<sup>2</sup>H<sub>2</sub>O<sup>a</sup></p>",
    ],
    ["a rule", "<p>a</p><hr class=x><p>b</p>", "<p>a</p><hr><p>b</p>"],
    [
      "foreign colours",
      '<p><span style="color:windowtext;background:white">a</span><span style="color:#000000">b</span></p>',
      "<p>ab</p>",
    ],
    [
      "colours of our palette",
      '<p><span style="color: rgb(179, 38, 30)">a</span></p>',
      '<p><span style="color:#b3261e">a</span></p>',
    ],
    [
      "forms",
      "<form><label>Name</label><input value=x><textarea>t</textarea><button>b</button></form>",
      "<p>Name</p>",
    ],
    [
      "code with an element for each line, and a button",
      "<pre><button>Copy</button><b>a</b><code><div></div><div><br></div><div>  b</div></code></pre><pre>c\n<br>d</pre>",
      "<pre>a<br><br>  b</pre><pre>c<br><br>d</pre>",
    ],
    ["text alone", "just text", "<p>just text</p>"],
  ])("keeps only the document language: %s", (_name, source, expected) => {
    expect(pasted(source)).toBe(expected);
  });

  it("reads Google Docs, whose wrapper is a bold that is not", () => {
    const html =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span style="font-size:20pt;font-weight:400;color:#000000;white-space:pre-wrap;">Title</span></h1>' +
      '<p dir="ltr"><span style="font-weight:400">Plain </span><span style="font-weight:700;font-style:italic">both</span></p><br />' +
      '<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li aria-level="2"><p><span>two</span></p></li></ul></ul></b>';
    expect(pasted(html)).toBe(
      "<h1>Title</h1><p>Plain <strong><em>both</em></strong></p><p><br></p><ul><li>one<ul><li>two</li></ul></li></ul>",
    );
  });

  it("reads Word, whose lists are paragraphs with a typed bullet", () => {
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=EN-US><!--StartFragment--><p class=MsoNormal><b><span style='color:black'>Intro<o:p></o:p></span></b></p>\n\n${wordItem(1, "·", "one")}\n${wordItem(2, "o", "deep")}\n${wordItem(1, "·", "two")}<p class=MsoNormal>between<o:p></o:p></p>${wordItem(1, "1.", "first")}${wordItem(1, "2.", "second")}<!--EndFragment--></body></html>`;
    expect(pasted(html)).toBe(
      "<p><strong>Intro</strong></p><ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul><p>between</p><ol><li>first</li><li>second</li></ol>",
    );
  });

  it.each([
    [
      "goes on after a paragraph",
      `${wordItem(1, "1.", "a")}<p>wherein</p>${wordItem(1, "2.", "b")}`,
      '<ol><li>a</li></ol><p>wherein</p><ol start="2"><li>b</li></ol>',
    ],
    [
      "goes on inside an item",
      `${wordItem(1, "1.", "a")}${wordItem(2, "1.1.", "b")}<p>c</p>${wordItem(2, "1.2.", "d")}${wordItem(1, "2.", "e")}`,
      '<ol><li>a<ol><li>b</li></ol></li></ol><p>c</p><ol><li><ol start="2"><li>d</li></ol></li><li>e</li></ol>',
    ],
    [
      "goes on after an item that was divided inside",
      `${wordItem(1, "4.", "a")}${wordItem(2, "1)", "b")}<p>c</p>${wordItem(2, "2)", "d")}${wordItem(1, "5.", "e")}`,
      '<ol start="4"><li>a<ol><li>b</li></ol></li></ol><p>c</p><ol start="4"><li><ol start="2"><li>d</li></ol></li><li>e</li></ol>',
    ],
    [
      "ends where bullets begin",
      `${wordItem(1, "1.", "a")}${wordItem(1, "·", "b")}`,
      "<ol><li>a</li></ol><ul><li>b</li></ul>",
    ],
    [
      "is text in headings",
      `${wordItem(1, "1", "a", "h1")}${wordItem(2, "1.1", "b", "h2")}<p>c</p>${wordItem(1, "·", "d", "h1")}`,
      "<h1>1 a</h1><h2>1.1 b</h2><p>c</p><h1>d</h1>",
    ],
  ])("numbering of Word %s", (_name, html, expected) => {
    expect(pasted(html)).toBe(expected);
  });

  it("keeps a table of Word with its merged cells", () => {
    const cell = (text: string, attributes = "") =>
      `<td width=200 ${attributes} style='width:150pt;border:solid windowtext 1.0pt'><p class=MsoNormal><span lang=EN-US>${text}<o:p></o:p></span></p></td>`;
    const html = `<div><table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr>${cell("<b>Both</b>", "colspan=2")}</tr><tr>${cell("CO<sub>2</sub>")}${cell("x")}</tr></table><p class=MsoNormal>after<o:p></o:p></p></div>`;
    expect(pasted(html)).toBe(
      '<table><tbody><tr><td colspan="2"><p><strong>Both</strong></p></td></tr><tr><td><p>CO<sub>2</sub></p></td><td><p>x</p></td></tr></tbody></table><p>after</p>',
    );
  });

  it("keeps a table of Google Docs", () => {
    const cell = (text: string) =>
      `<td style="border:solid #000 1pt;vertical-align:top"><p dir="ltr" style="line-height:1.2"><span style="font-size:11pt;vertical-align:baseline;white-space:pre-wrap">${text}</span></p></td>`;
    const html = `<b style="font-weight:normal" id="docs-internal-guid-2"><div dir="ltr" align="left"><table style="border:none"><colgroup><col width="312"/><col width="312"/></colgroup><tbody><tr style="height:0pt">${cell("a")}${cell("b")}</tr><tr>${cell("c")}${cell("d")}</tr></tbody></table></div></b>`;
    expect(pasted(html)).toBe(
      "<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p>d</p></td></tr></tbody></table>",
    );
  });

  it.each([
    ["framed by its cell", '<table><tr><td style="border:solid #000 1.0pt">a</td></tr></table>'],
    ["framed as a whole", "<table border=1><tr><td>a</td></tr></table>"],
  ])("keeps a table of one cell that is %s", (_name, html) => {
    expect(pasted(html)).toBe("<table><tbody><tr><td><p>a</p></td></tr></tbody></table>");
  });

  it.each([
    ["lays out a page", "<table><tr><td>a</td></tr></table>"],
    ["is one of a spreadsheet", '<table border=1 style="border:none"><tr><td>a</td></tr></table>'],
  ])("takes the text of a table of one cell that %s", (_name, html) => {
    expect(pasted(html)).toBe("<p>a</p>");
  });

  const lines = (style: string) =>
    `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;${style};white-space: pre;"><div><span style="color: #c586c0;">if</span><span> a:</span></div><br><div><span>    </span><span style="color: #c586c0;">return</span><span> 0</span></div></div>`;

  it.each(["font-family: monospace", "font-family: Consolas, 'Courier New', monospace"])(
    "reads lines of an editor of code as code: %s",
    (font) => {
      expect(pasted(lines(font))).toBe("<pre>if a:<br><br>    return 0</pre>");
    },
  );

  it("keeps indentation that stands in an element of its own", () => {
    expect(pasted(lines("font-family: Georgia"))).toContain("<p>    ");
  });

  it("reads a word of such an editor as code within the text", () => {
    const word =
      '<div style="font-family: monospace;white-space: pre;"><div><span style="color: #c586c0;">return</span></div></div>';
    expect(pasted(word)).toBe("<p><code>return</code></p>");
  });

  it("keeps formats and links of words in letters of one width", () => {
    const style = "font-family:'Courier New',monospace;white-space:pre-wrap";
    const bold = `<p>a <span style="${style};font-weight:700">b <i>c</i></span></p>`;
    expect(pasted(bold)).toBe(
      "<p>a <strong><code>b </code></strong><strong><em><code>c</code></em></strong></p>",
    );
    const link = `<span style="${style}">see <a href="https://x.example/">x</a></span>`;
    expect(pasted(link)).toContain('see <a href="https://x.example/"');
  });

  it("reads a mail whose lines are div elements", () => {
    const html =
      '<div dir="ltr"><div>Hello</div><div><br></div><div>Regards,<br>Ann<br></div><blockquote class="gmail_quote" style="border-left:1px solid"><div>old</div></blockquote></div>';
    expect(pasted(html)).toBe(
      "<p>Hello</p><p><br></p><p>Regards,<br>Ann</p><blockquote>old</blockquote>",
    );
  });

  it("returns only allow-listed tags and attributes for any input", () => {
    const tags = [
      "section",
      "font",
      "center",
      "marquee",
      "details",
      "object",
      "embed",
      "math",
      "video",
      "dl",
      "ruby",
      "picture",
      "base",
      "frameset",
      "custom-element",
    ];
    const html = tags
      .map(
        (tag) =>
          `<${tag} style="position:fixed" onload="x()" href="javascript:x" src="x">t<p>u</p></${tag}>`,
      )
      .join("");
    const { body } = new DOMParser().parseFromString(pasted(html), "text/html");
    const elements = [...body.querySelectorAll("*")];
    expect(elements.length).toBeGreaterThan(5);
    for (const element of elements) {
      expect(["P", "BR"]).toContain(element.tagName);
      expect(element.attributes).toHaveLength(0);
    }
  });
});
