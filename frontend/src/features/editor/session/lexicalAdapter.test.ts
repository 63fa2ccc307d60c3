import { $getSelection, $selectAll } from "lexical";
import { expect, it } from "vitest";
import { createTestEditor } from "../extensions/testEditor";
import { lexicalAdapter } from "./lexicalAdapter";

it("shows no selection while it is locked, and has the former one afterwards", () => {
  const root = document.createElement("div");
  root.contentEditable = "true";
  document.body.append(root);
  const editor = createTestEditor("<p>Plants dry out.</p>");
  editor.setRootElement(root);
  editor.update(() => void $selectAll(), { discrete: true });
  expect(document.getSelection()?.toString()).toBe("Plants dry out.");
  const adapter = lexicalAdapter(editor);
  adapter.lock();
  expect(document.getSelection()?.toString()).toBe("");
  adapter.unlock();
  expect(editor.read(() => $getSelection()?.getTextContent())).toBe("Plants dry out.");
  root.remove();
});
