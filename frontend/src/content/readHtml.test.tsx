import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { isValidElement } from "react";
import { expect, test } from "vitest";
import { readHtml } from "./readHtml";

const show = (html: string) => render(<div>{readHtml(html)}</div>).container.firstElementChild;
const shown = (html: string) => show(html)?.innerHTML;

test.each([
  "<p>a <strong>b</strong><em>c</em><s>d</s><code>e</code><mark>f</mark></p>",
  "<blockquote>q</blockquote><ul><li>a<ul><li>b</li></ul></li></ul><hr>",
  '<ol start="3"><li value="5">a</li></ol>',
  "<p>a  b<br>c</p>",
])("keeps %s", (html) => {
  expect(shown(html)).toBe(html);
});

test("keeps colours given as numbers, and no other style", () => {
  expect(
    shown('<p><span style="color:#e60000;background-color:#fff;position:fixed">x</span></p>'),
  ).toBe(
    '<p><span style="color: rgb(230, 0, 0); background-color: rgb(255, 255, 255);">x</span></p>',
  );
  expect(shown('<span style="color:red;background:url(//evil.example)">x</span>')).toBe(
    "<span>x</span>",
  );
});

test("maps the tags of older documents", () => {
  expect(shown("<p><b>a</b><i>b</i><del>c</del></p>")).toBe(
    "<p><strong>a</strong><em>b</em><s>c</s></p>",
  );
});

test("reads a code block of any length", () => {
  const [pre] = readHtml(`<pre>${"a<br>".repeat(70_000)}</pre>`);
  if (!isValidElement<{ children: unknown }>(pre)) throw new Error("no code block");
  expect(pre.props.children).toHaveLength(140_000);
});

test("ranks the document's headings below the page's own", () => {
  show("<h1>One</h1><h2>Two</h2>");
  expect(screen.getByRole("heading", { level: 2, name: "One" })).toBeVisible();
  expect(screen.getByRole("heading", { level: 3, name: "Two" })).toBeVisible();
});

test.each([
  "<script>alert(1)</script>",
  "<style>p{}</style>",
  '<img src="https://evil.example/x.png">',
  '<img src="//evil.example/x.png">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>',
  '<svg onload="alert(1)"><text>x</text></svg>',
])("shows nothing of %s", (html) => {
  expect(shown(html)).toBe("");
});

test.each([
  ['<p onclick="x()" class="fixed" id="root">a</p>', "<p>a</p>"],
  ['<a href="javascript:alert(1)">a</a>', "a"],
  ['<a href="java&#10;script:alert(1)">a</a>', "a"],
  ['<a href="data:text/html,x">a</a>', "a"],
  ['<a href="/dashboard">a</a>', "a"],
  ["<form><input><button>a</button></form>", "a"],
  ["<p>H<sub>2</sub>O<sup>+</sup></p>", "<p>H<sub>2</sub>O<sup>+</sup></p>"],
  [
    '<table class="x">\n<tr> <th colspan="2" onclick="x()">a</th></tr><tr><td rowspan="1000">b</td></tr></table>',
    '<section tabindex="0" role="group" aria-label="Table" class="prose-table"><table><tbody><tr><th colspan="2">a</th></tr><tr><td>b</td></tr></tbody></table></section>',
  ],
])("reduces %s to %s", (html, expected) => {
  expect(shown(html)).toBe(expected);
});

test.each([
  "https://a.example/?b=1",
  "mailto:a@b.example",
  "tel:+41",
  "xmpp:a@b",
  "ftps://a.example",
])("opens a link to %s in a new window", (href) => {
  show(`<a href="${href}" rel="opener" target="_top">go</a>`);
  const link = screen.getByRole("link", { name: "go" });
  expect(link).toHaveAttribute("href", href);
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
});

test("shows images of this server and inline ones", () => {
  show(
    '<img src="/api/files/ab-1" alt="A" width="20" height="10"><img src="data:image/png;base64,AAAA" alt="B">',
  );
  expect(screen.getByRole("img", { name: "A" })).toHaveAttribute("width", "20");
  expect(screen.getByRole("img", { name: "B" })).toBeInTheDocument();
});

test("loads a video only when it is played", async () => {
  const root = show(
    '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="Demo"></iframe>',
  );
  expect(root?.querySelector("iframe")).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: /Demo/ }));
  const player = root?.querySelector("iframe");
  expect(player).toHaveAttribute(
    "src",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1",
  );
  expect(player).toHaveAttribute("referrerpolicy", "strict-origin-when-cross-origin");
});
