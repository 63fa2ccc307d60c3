import { describe, expect, it } from "vitest";
import { HIGHLIGHT_COLORS, TEXT_COLORS } from "../colors";
import { INSERT_VIDEO_COMMAND } from "../extensions/media";
import { createTestEditor, htmlOf } from "../extensions/testEditor";
import corpus from "./corpus.json";
import { parseVideoUrl } from "./media";

describe("a video address", () => {
  it.each([
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "http://youtube.com/watch?t=3&v=dQw4w9WgXcQ",
    "m.youtube.com/watch?v=dQw4w9WgXcQ#x",
    "  https://youtu.be/dQw4w9WgXcQ?si=abc ",
    "youtu.be/dQw4w9WgXcQ",
  ])("%j is a video", (url) => expect(parseVideoUrl(url)).toBe("dQw4w9WgXcQ"));

  it.each([
    "",
    "dQw4w9WgXcQ",
    "https://www.youtube.com/embed/dQw4w9WgXcQ",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube.com/playlist?list=PL1",
    "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
    "https://evil.example/?u=youtu.be/dQw4w9WgXcQ",
    "https://vimeo.com/1",
    "https://youtu.be/short",
    "https://youtu.be/dQw4w9WgXcQ/extra",
    "javascript://youtu.be/dQw4w9WgXcQ",
    "https://youtube.com/watch?v=dQw4w9WgXcQ%22onload",
  ])("%j is refused", (url) => expect(parseVideoUrl(url)).toBeNull());

  it("becomes a player, and a refused one changes nothing", () => {
    const editor = createTestEditor("<p>a</p>");
    const insert = (url: string) =>
      editor.update(() => void editor.dispatchCommand(INSERT_VIDEO_COMMAND, url), {
        discrete: true,
      });
    insert("https://vimeo.com/1");
    expect(htmlOf(editor)).toBe("<p>a</p>");
    insert("https://youtu.be/dQw4w9WgXcQ");
    expect(htmlOf(editor)).toContain(corpus["a video"].replace("<p><br></p>", ""));
  });
});

describe("stored media", () => {
  it.each([
    ["a remote image", '<img src="https://t.example/p.gif" alt="">'],
    ["an SVG", '<img src="data:image/svg+xml;base64,PHN2Zz4=" alt="">'],
    ["a foreign frame", '<iframe src="https://evil.example/embed/dQw4w9WgXcQ"></iframe>'],
    [
      "a player with parameters",
      '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?x=1"></iframe>',
    ],
    ["a frame with content", '<iframe srcdoc="<script>x</script>"></iframe>'],
  ])("leaves out %s", (_name, html) => {
    expect(htmlOf(createTestEditor(`<p>a</p>${html}`))).toBe("<p>a</p>");
  });

  it("is a block of its own, also when it was inside a text", () => {
    const image = '<img src="/api/files/0d3b1a52" alt="x">';
    expect(htmlOf(createTestEditor(`<p>a${image}b</p>`))).toBe(`<p>a</p>${image}<p>b</p>`);
    expect(htmlOf(createTestEditor(`<ul><li>a${image}</li><li>b</li></ul>`))).toBe(
      `<ul><li>a</li></ul>${image}<ul><li>b</li></ul>`,
    );
  });

  it("keeps an inline image of any length", () => {
    const html = `<img src="data:image/png;base64,${"A".repeat(3 * 1024 * 1024)}" alt="">`;
    expect(htmlOf(createTestEditor(html)) === html).toBe(true);
  });

  it("cannot be poisoned through JSON", () => {
    const editor = createTestEditor();
    const state = (node: object) =>
      JSON.stringify({ root: { type: "root", version: 1, children: [{ version: 1, ...node }] } });
    for (const node of [
      { type: "image", src: "https://t.example/p.gif", alt: "", width: 1, height: 1 },
      { type: "youtube", videoId: '"><script>' },
    ]) {
      editor.setEditorState(editor.parseEditorState(state(node)));
      expect(htmlOf(editor)).toBe("");
    }
  });
});

describe("the palettes", () => {
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  it("have 21 text colours, each readable on the page and on every highlight", () => {
    expect(new Set(TEXT_COLORS.map(({ value }) => value)).size).toBe(21);
    for (const { value, name } of TEXT_COLORS) {
      expect(contrast(value, "#fffefb"), name).toBeGreaterThanOrEqual(4.5);
      for (const { value: ground } of HIGHLIGHT_COLORS) {
        expect(contrast(value, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it("keep every value that was ever shipped", () => {
    for (const { value } of TEXT_COLORS) expect(corpus["every text colour"]).toContain(value);
    for (const { value } of HIGHLIGHT_COLORS) expect(corpus["every highlight"]).toContain(value);
  });
});
