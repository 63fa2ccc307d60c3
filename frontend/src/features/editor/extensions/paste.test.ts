import { $insertDataTransferForRichText } from "@lexical/clipboard";
import { $getRoot, type LexicalEditor } from "lexical";
import { describe, expect, it } from "vitest";
import { LOSSY_PASTE_COMMAND, type LossyPaste } from "./paste";
import { createTestEditor, htmlOf } from "./testEditor";

/** Pastes at the end of the document; the keys are MIME types. */
function paste(editor: LexicalEditor, data: Record<string, string>): void {
  const files: Iterable<File> = [];
  const clipboard = { getData: (type: string) => data[type] ?? "", files } as DataTransfer;
  editor.update(() => $insertDataTransferForRichText(clipboard, $getRoot().selectEnd(), editor), {
    discrete: true,
  });
}

describe("a paste into a code block", () => {
  it("inserts the text of all blocks", () => {
    const editor = createTestEditor("<pre>x</pre>");
    const plain = "a\n\n\n  b\nafter";
    const html = "<pre>a\n\n\n  b</pre><p>after</p>";
    const json = { namespace: "ideavault", nodes: [{ type: "paragraph", version: 1 }] };
    paste(editor, {
      "application/x-lexical-editor": JSON.stringify(json),
      "text/html": html,
      "text/plain": plain,
    });
    expect(htmlOf(editor)).toBe("<pre>xa<br><br><br>  b<br>after</pre>");
    paste(editor, { "text/plain": plain });
    expect(htmlOf(editor)).toBe("<pre>xa<br><br><br>  b<br>aftera<br><br><br>  b<br>after</pre>");
    paste(editor, { "text/html": "<b>y</b>" });
    expect(htmlOf(editor)).toMatch(/aftery<.pre>$/);
  });

  it("asks before it leaves out a picture", () => {
    const editor = createTestEditor("<pre>x</pre>");
    const asked: LossyPaste[] = [];
    editor.registerCommand(
      LOSSY_PASTE_COMMAND,
      (question) => {
        asked.push(question);
        return true;
      },
      0,
    );
    paste(editor, {
      "text/html": '<p>a<u>b</u></p><img src="/api/files/0d3b1a52"><p>c</p>',
      "text/plain": "ab\nc",
    });
    expect(htmlOf(editor)).toBe("<pre>x</pre>");
    expect(asked).toMatchObject([{ losses: { pictures: 1, formatting: [], isIntoCode: true } }]);
    editor.update(() => asked[0]?.insert(), { discrete: true });
    expect(htmlOf(editor)).toBe("<pre>xab<br>c</pre>");
    const picture = '<p>d</p><img src="/api/files/0d3b1a52">';
    paste(editor, { "application/x-lexical-drag": "{}", "text/html": picture, "text/plain": "d" });
    expect(asked).toHaveLength(1);
    expect(htmlOf(editor)).toBe("<pre>xab<br>cd</pre>");
  });
});
