import { $createListItemNode, $createListNode } from "@lexical/list";
import { $createHeadingNode } from "@lexical/rich-text";
import { $createTableSelectionFrom, $isTableCellNode, $isTableNode } from "@lexical/table";
import {
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $selectAll,
  $setSelection,
  FORMAT_ELEMENT_COMMAND,
  FORMAT_TEXT_COMMAND,
  HISTORY_PUSH_TAG,
  INDENT_CONTENT_COMMAND,
  KEY_DOWN_COMMAND,
  KEY_TAB_COMMAND,
  type LexicalEditor,
  PASTE_COMMAND,
  UNDO_COMMAND,
} from "lexical";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BlockKind, TOGGLE_BLOCK_COMMAND } from "./blocks";
import { UNDO } from "./document";
import { readFormatting } from "./formattingState";
import { SET_LINK_COMMAND } from "./links";
import { createTestEditor, htmlOf } from "./testEditor";
import { SET_HIGHLIGHT_COMMAND, SET_TEXT_COLOR_COMMAND } from "./textColors";

const LINK = 'target="_blank" rel="noopener noreferrer nofollow"';

function selectAll(editor: LexicalEditor): void {
  editor.update(() => void $selectAll(), { discrete: true });
}

function selectText(editor: LexicalEditor, index: number, from: number, to: number): void {
  editor.update(() => void $getRoot().getAllTextNodes()[index]?.select(from, to), {
    discrete: true,
  });
}

function run(editor: LexicalEditor, action: () => void): string {
  editor.update(action, { discrete: true });
  return htmlOf(editor);
}

function selected(html: string): LexicalEditor {
  const editor = createTestEditor(html);
  selectAll(editor);
  return editor;
}

describe("blocks", () => {
  it.each<[BlockKind, string]>([
    ["h1", "<h1>a</h1>"],
    ["h2", "<h2>a</h2>"],
    ["h3", "<h3>a</h3>"],
    ["quote", "<blockquote>a</blockquote>"],
    ["code", "<pre>a</pre>"],
    ["bullet", "<ul><li>a</li></ul>"],
    ["number", "<ol><li>a</li></ol>"],
    ["paragraph", "<p>a</p>"],
  ])("become %s and go back", (kind, html) => {
    const editor = selected("<p>a</p>");
    const toggle = () => run(editor, () => void editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, kind));
    expect(toggle()).toBe(html);
    expect(readFormatting(editor).block).toBe(kind);
    expect(toggle()).toBe("<p>a</p>");
  });

  it("change from one list to the other", () => {
    const editor = selected("<ul><li>a</li></ul>");
    expect(run(editor, () => void editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, "number"))).toBe(
      "<ol><li>a</li></ol>",
    );
  });

  it("change from a list to a heading", () => {
    const editor = selected("<ul><li>a</li></ul>");
    expect(run(editor, () => void editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, "h2"))).toBe(
      "<h2>a</h2>",
    );
  });

  it("drop formats and colours when they become code", () => {
    const editor = selected('<p><span style="color:#b3261e"><strong>a</strong></span></p>');
    expect(run(editor, () => void editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, "code"))).toBe(
      "<pre>a</pre>",
    );
  });
});

describe("links", () => {
  const setLink = (editor: LexicalEditor, url: string) =>
    run(editor, () => void editor.dispatchCommand(SET_LINK_COMMAND, url));

  it("wrap the selection, and default to http", () => {
    expect(setLink(selected("<p>a</p>"), "example.com")).toBe(
      `<p><a href="http://example.com" ${LINK}>a</a></p>`,
    );
  });

  it("are removed by an empty address", () => {
    const html = `<p><a href="http://example.com" ${LINK}>a</a></p>`;
    expect(setLink(selected(html), " ")).toBe("<p>a</p>");
  });

  it("change their address from a caret inside", () => {
    const editor = createTestEditor(`<p><a href="http://example.com" ${LINK}>abc</a></p>`);
    selectText(editor, 0, 1, 1);
    expect(readFormatting(editor).link).toBe("http://example.com");
    expect(setLink(editor, "mailto:a@b.example")).toBe(
      `<p><a href="mailto:a@b.example" ${LINK}>abc</a></p>`,
    );
  });

  it("insert the address itself when nothing is selected", () => {
    const editor = createTestEditor("<p>ab</p>");
    selectText(editor, 0, 1, 1);
    expect(setLink(editor, "x.example")).toBe(
      `<p>a<a href="http://x.example" ${LINK}>x.example</a>b</p>`,
    );
  });

  it("are added at the end when there is no caret", () => {
    const editor = createTestEditor("<p>a</p><p>b</p>");
    expect(setLink(editor, "x.example")).toBe(
      `<p>a</p><p>b<a href="http://x.example" ${LINK}>x.example</a></p>`,
    );
  });

  it("are added behind a link at the end when there is no caret", () => {
    const link = `<a href="http://y.example" ${LINK}>y</a>`;
    const html = `<p>${link}</p>`;
    expect(setLink(createTestEditor(html), "x.example")).toBe(
      `<p>${link} <a href="http://x.example" ${LINK}>x.example</a></p>`,
    );
    expect(setLink(createTestEditor(html), "")).toBe(html);
  });

  it("refuse a hostile address", () => {
    expect(setLink(selected("<p>a</p>"), "javascript:alert(1)")).toBe("<p>a</p>");
  });
});

describe("colours", () => {
  it("set and reset the text colour", () => {
    const editor = selected("<p>a</p>");
    const set = (color: string | null) =>
      run(editor, () => void editor.dispatchCommand(SET_TEXT_COLOR_COMMAND, color));
    expect(set("#1a56b0")).toBe('<p><span style="color:#1a56b0">a</span></p>');
    expect(readFormatting(editor).color).toBe("#1a56b0");
    expect(set(null)).toBe("<p>a</p>");
  });

  it("set, change and clear the highlight, also of a part", () => {
    const editor = createTestEditor("<p>abc</p>");
    const set = (color: string | null) =>
      run(editor, () => void editor.dispatchCommand(SET_HIGHLIGHT_COMMAND, color));
    selectText(editor, 0, 1, 2);
    expect(set("#fff0a3")).toBe('<p>a<mark style="background-color:#fff0a3">b</mark>c</p>');
    expect(set("#cfe6ff")).toBe('<p>a<mark style="background-color:#cfe6ff">b</mark>c</p>');
    selectAll(editor);
    expect(set(null)).toBe("<p>abc</p>");
  });
});

describe("the highlight of several cells", () => {
  it("is set and cleared, also where it has no colour", () => {
    const cells = "<td><p>a</p></td><td><p><mark>b</mark></p></td>";
    const table = (row: string) => `<table><tbody><tr>${row}</tr></tbody></table>`;
    const editor = createTestEditor(table(cells));
    editor.update(
      () => {
        const node = $getRoot().getFirstChild();
        const [first, last] = $getRoot()
          .getAllTextNodes()
          .map((text) => text.getParents().find($isTableCellNode));
        if (!$isTableNode(node) || !first || !last) throw new Error("no table");
        $setSelection($createTableSelectionFrom(node, first, last));
      },
      { discrete: true },
    );
    const set = (color: string | null) =>
      run(editor, () => void editor.dispatchCommand(SET_HIGHLIGHT_COMMAND, color));
    const mark = (text: string) =>
      `<td><p><mark style="background-color:#fff0a3">${text}</mark></p></td>`;
    expect(set("#fff0a3")).toBe(table(`${mark("a")}${mark("b")}`));
    expect(set(null)).toBe(table("<td><p>a</p></td><td><p>b</p></td>"));
  });
});

describe("the live document", () => {
  it("ignores what could not be stored", () => {
    const editor = selected("<p>a</p>");
    run(editor, () => {
      editor.dispatchCommand(FORMAT_TEXT_COMMAND, "underline");
      editor.dispatchCommand(FORMAT_TEXT_COMMAND, "uppercase");
      editor.dispatchCommand(FORMAT_ELEMENT_COMMAND, "center");
    });
    expect(JSON.stringify(editor.getEditorState())).toContain('"format":0');
    expect(htmlOf(editor)).toBe("<p>a</p>");
  });

  it("normalizes what other code inserts", () => {
    const editor = createTestEditor();
    run(editor, () => {
      const text = $createTextNode("a").toggleFormat("underline").toggleFormat("bold");
      text.setStyle("font-size: 40px; color: RGB(26, 86, 176); position: fixed");
      const list = $createListNode("check").append(
        $createListItemNode().append($createTextNode("b")),
      );
      const heading = $createHeadingNode("h5").append($createTextNode("c"));
      const block = $createParagraphNode().append(text).setIndent(3);
      $getRoot().clear().append(block.setFormat("right"), list, heading);
    });
    expect(htmlOf(editor)).toBe(
      '<p><span style="color:#1a56b0"><strong>a</strong></span></p><ul><li>b</li></ul><h3>c</h3>',
    );
    const json = JSON.stringify(editor.getEditorState());
    expect(json).not.toMatch(/font-size|"right"|"indent":3|check"|h5/);
  });

  it("indents list items and nothing else", () => {
    const editor = createTestEditor("<ul><li>a</li><li>b</li></ul>");
    selectText(editor, 1, 0, 0);
    expect(run(editor, () => void editor.dispatchCommand(INDENT_CONTENT_COMMAND))).toBe(
      "<ul><li>a<ul><li>b</li></ul></li></ul>",
    );
    const paragraph = selected("<p>a</p>");
    run(paragraph, () => void paragraph.dispatchCommand(INDENT_CONTENT_COMMAND));
    expect(JSON.stringify(paragraph.getEditorState())).toContain('"indent":0');
  });
});

describe("the keyboard", () => {
  const press = (editor: LexicalEditor, key: string, init: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent("keydown", { key, cancelable: true, ...init });
    const command = key === "Tab" ? KEY_TAB_COMMAND : KEY_DOWN_COMMAND;
    editor.update(() => void editor.dispatchCommand(command, event), { discrete: true });
    return event;
  };

  it.each([
    ["strikes with Ctrl+Shift+X", "X", { shiftKey: true }, "<p><s>a</s></p>"],
    ["marks code with Ctrl+E", "e", {}, "<p><code>a</code></p>"],
    [
      "highlights with Ctrl+Shift+H",
      "H",
      { shiftKey: true },
      '<p><mark style="background-color:#fff0a3">a</mark></p>',
    ],
    ["makes a heading with Ctrl+Alt+2", "2", { altKey: true }, "<h2>a</h2>"],
    ["makes a list with Ctrl+Shift+8", "*", { shiftKey: true }, "<ul><li>a</li></ul>"],
  ])("%s", (_name, key, init, html) => {
    const editor = selected("<p>a</p>");
    const event = press(editor, key, { ctrlKey: true, ...init });
    expect(event.defaultPrevented).toBe(true);
    expect(htmlOf(editor)).toBe(html);
  });

  it("uses Tab inside lists and lets it leave elsewhere", () => {
    const list = createTestEditor("<ul><li>a</li><li>b</li></ul>");
    selectText(list, 1, 0, 0);
    expect(press(list, "Tab").defaultPrevented).toBe(true);
    expect(htmlOf(list)).toBe("<ul><li>a<ul><li>b</li></ul></li></ul>");
    expect(press(list, "Tab", { shiftKey: true }).defaultPrevented).toBe(true);
    expect(press(list, "Tab", { shiftKey: true }).defaultPrevented).toBe(false);
    expect(press(selected("<p>a</p>"), "Tab").defaultPrevented).toBe(false);
  });
});

describe("undo", () => {
  it("takes back a paste, and nothing that was typed just before or after it", () => {
    // No time passes: what is typed is one step.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const editor = createTestEditor("<p>start</p>");
    const write = (letter: string) => run(editor, () => $getRoot().selectEnd().insertText(letter));
    vi.stubGlobal("DragEvent", class DragEvent extends Event {});
    vi.stubGlobal("ClipboardEvent", class ClipboardEvent extends Event {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const data = { types: ["text/plain"], files: [] };
    const getData = (type: string) => (type === "text/plain" ? "p" : "");
    const clipboardData = { ...data, getData } as unknown as DataTransfer;
    const paste = Object.assign(new ClipboardEvent("paste"), { clipboardData });
    for (const letter of "abc") write(letter);
    // One letter, which would else be taken for one more that is typed.
    run(editor, () => void editor.dispatchCommand(PASTE_COMMAND, paste));
    for (const letter of "de") write(letter);
    const undo = () => {
      editor.dispatchCommand(UNDO_COMMAND);
      return htmlOf(editor);
    };
    expect(htmlOf(editor)).toBe("<p>startabcpde</p>");
    expect(undo()).toBe("<p>startabcp</p>");
    expect(undo()).toBe("<p>startabc</p>");
  });

  it("keeps one hundred steps and never empties the loaded document", () => {
    const editor = createTestEditor("<p>start</p>");
    for (let step = 0; step < UNDO.maxDepth + 50; step += 1) {
      editor.update(() => void $getRoot().append($createParagraphNode()), {
        discrete: true,
        tag: HISTORY_PUSH_TAG,
      });
    }
    for (let step = 0; step < 300; step += 1) editor.dispatchCommand(UNDO_COMMAND);
    expect(htmlOf(editor)).toBe(`<p>start</p>${"<p><br></p>".repeat(50)}`);
  });
});
