import { $getRoot } from "lexical";
import { describe, expect, it } from "vitest";
import { createTestEditor, htmlOf, loadHtml } from "../extensions/testEditor";
import STORED_DOCUMENTS from "./corpus.json";
import { MAX_CELLS } from "./tableHtml";

describe("a stored document", () => {
  it.each(Object.entries(STORED_DOCUMENTS))("keeps its bytes: %s", (_name, html) => {
    expect(htmlOf(createTestEditor(html))).toBe(html);
  });

  it.each(Object.entries(STORED_DOCUMENTS))("keeps its nodes through JSON: %s", (_name, html) => {
    const editor = createTestEditor(html);
    const json = JSON.stringify(editor.getEditorState());
    const copy = createTestEditor();
    copy.setEditorState(copy.parseEditorState(json));
    expect(htmlOf(copy)).toBe(html);
    expect(JSON.stringify(copy.getEditorState())).toBe(json);
  });

  it("keeps its bytes with all samples in one document", () => {
    const html = Object.values(STORED_DOCUMENTS).join("<hr>");
    expect(htmlOf(createTestEditor(html))).toBe(html);
  });

  it("keeps a table that has grown beyond what can be pasted", () => {
    const row = `<tr>${"<td><p>a</p></td>".repeat(20)}</tr>`;
    const html = `<table><tbody>${row.repeat(MAX_CELLS / 20 + 1)}</tbody></table>`;
    expect(htmlOf(createTestEditor(html)) === html).toBe(true);
  });

  it("keeps a code block of any length", () => {
    const html = `<pre>${"a<br>".repeat(70_000)}a</pre>`;
    expect(htmlOf(createTestEditor(html)) === html).toBe(true);
  });

  it("is unchanged by an HTML parser", () => {
    for (const html of Object.values(STORED_DOCUMENTS)) {
      const { body } = new DOMParser().parseFromString(html, "text/html");
      expect(body.innerHTML).toBe(html);
    }
  });
});

describe("HTML that another client stored", () => {
  it.each([
    ["text without a block", "hello", "<p>hello</p>"],
    [
      "paragraphs in a quote",
      "<blockquote><p>a</p><p>b</p></blockquote>",
      "<blockquote>a</blockquote><blockquote>b</blockquote>",
    ],
    [
      "paragraphs in items",
      "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>",
      "<ul><li>a<br>b</li><li>c</li></ul>",
    ],
    ["indentation", "<p>\n  a\n  b\n</p>\n<p>c</p>\n", "<p> a b </p><p>c</p>"],
    [
      "a rule in an item",
      "<ol><li>a<hr>b</li></ol>",
      '<ol><li>a</li></ol><hr><ol start="2"><li>b</li></ol>',
    ],
    ["a heading in an item", "<ul><li><h2>a</h2>b</li></ul>", "<ul><li>a</li><li>b</li></ul>"],
    [
      "a background without mark",
      '<p><span style="background-color: #FFF0A3">a</span></p>',
      '<p><mark style="background-color:#fff0a3">a</mark></p>',
    ],
    [
      "styles on other tags",
      '<p><strong style="color:#b3261e">a</strong></p>',
      '<p><span style="color:#b3261e"><strong>a</strong></span></p>',
    ],
    [
      "a link around a block",
      '<a href="http://x.example"><h1>a</h1></a>',
      '<h1><a href="http://x.example" target="_blank" rel="noopener noreferrer nofollow">a</a></h1>',
    ],
    [
      "code in pre",
      '<pre><code class="language-js">a\nb</code></pre>',
      '<pre data-language="js">a<br>b</pre>',
    ],
    ["nothing", "", ""],
  ])("becomes a document: %s", (_name, stored, expected) => {
    const editor = createTestEditor(stored);
    expect(htmlOf(editor)).toBe(expected);
    expect(htmlOf(createTestEditor(expected))).toBe(expected);
  });
});

describe("any document", () => {
  it("is stable after one pass, for hundreds of random element trees", () => {
    let seed = 20_260_801;
    const random = (limit: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0];
    const tree = (depth: number): string => {
      if (depth === 0)
        return pick(["a", " ", "b ", " c", "&amp;", "&nbsp;", "\t", "<br>", "", "\n"]);
      const inner = Array.from({ length: random(4) }, () => tree(depth - 1)).join("");
      const tag = pick([
        "p",
        "h1",
        "h5",
        "blockquote",
        "ul",
        "ol",
        "li",
        "pre",
        "strong",
        "em",
        "s",
        "code",
        "mark",
        "span",
        "a",
        "div",
        "hr",
        "table",
        "tr",
        "td",
        "th",
        "sub",
        "sup",
      ]);
      if (tag === "hr") return "<hr>";
      const attributes =
        tag === "a"
          ? ' href="example.com/x"'
          : tag === "span"
            ? ' style="color:red;color:#123456"'
            : "";
      return `<${tag}${attributes}>${inner}</${tag}>`;
    };
    const editor = createTestEditor();
    for (let run = 0; run < 200; run += 1) {
      const source = Array.from({ length: 3 }, () => tree(4)).join("");
      const origin = run % 2 === 0 ? "stored" : "foreign";
      loadHtml(editor, source, origin);
      const once = htmlOf(editor);
      loadHtml(editor, once);
      expect(htmlOf(editor), source).toBe(once);
      expect(new DOMParser().parseFromString(once, "text/html").body.innerHTML).toBe(once);
      expect(
        editor.read(() =>
          $getRoot()
            .getChildren()
            .every((node) => !node.isInline()),
        ),
      ).toBe(true);
    }
  });
});
