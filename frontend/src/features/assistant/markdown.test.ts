import { expect, it } from "vitest";
import { markdownToHtml } from "./markdown";

it("reads the formats that models write", () => {
  const html = markdownToHtml(
    "# A\n\n**b** *c* `d` ~~e~~\n\n- f\n  1. g\n\n> h\n\n```rust\ni\n```\n\n---\n\n| j | k |\n|---|---|\n| l | m |",
  );
  for (const part of [
    "<h1>A</h1>",
    "<strong>b</strong> <em>c</em> <code>d</code> <del>e</del>",
    "<li>f<ol>",
    "<blockquote>",
    '<pre><code class="language-rust">i',
    "<hr>",
    "<th>j</th>",
    "<td>m</td>",
  ]) {
    expect(html).toContain(part);
  }
});

it("shows HTML, pictures and links as text", () => {
  expect(markdownToHtml('<img src=x onerror="a()"><b>b</b>')).not.toMatch(/<(?:img|b)\b/);
  expect(markdownToHtml("a <i>b</i>")).toBe("<p>a &lt;i&gt;b&lt;/i&gt;</p>\n");
  expect(markdownToHtml("![chart](https://t.example/p.png)")).toBe("<p>chart</p>\n");
  expect(markdownToHtml("[here](javascript:alert\\(1\\))")).not.toContain("<a");
  expect(markdownToHtml("[here](https://x.example/?a=1&b=2)")).toBe(
    "<p>here (https://x.example/?a=1&amp;b=2)</p>\n",
  );
  expect(markdownToHtml("https://x.example/")).toBe("<p>https://x.example/</p>\n");
});
