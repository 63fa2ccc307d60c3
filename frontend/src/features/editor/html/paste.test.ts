import { describe, expect, it } from "vitest";
import { createTestEditor, htmlOf } from "../extensions/testEditor";

const pasted = (html: string) => htmlOf(createTestEditor(html, "foreign"));

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
      "<p>a</p><p>b</p><p>c</p>",
    ],
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
    const item = (level: number, marker: string, text: string) =>
      `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=EN-US><!--StartFragment--><p class=MsoNormal><b><span style='color:black'>Intro<o:p></o:p></span></b></p>\n\n${item(1, "·", "one")}\n${item(2, "o", "deep")}\n${item(1, "·", "two")}<p class=MsoNormal>between<o:p></o:p></p>${item(1, "1.", "first")}${item(1, "2.", "second")}<!--EndFragment--></body></html>`;
    expect(pasted(html)).toBe(
      "<p><strong>Intro</strong></p><ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul><p>between</p><ol><li>first</li><li>second</li></ol>",
    );
  });

  it("reads a mail whose lines are div elements", () => {
    const html =
      '<div dir="ltr"><div>Hello</div><div><br></div><div>Regards,<br>Ann<br></div><blockquote class="gmail_quote" style="border-left:1px solid"><div>old</div></blockquote></div>';
    expect(pasted(html)).toBe(
      "<p>Hello</p><p><br></p><p>Regards,<br>Ann</p><blockquote>old</blockquote>",
    );
  });

  it("yields only allow-listed tags and attributes whatever comes", () => {
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
