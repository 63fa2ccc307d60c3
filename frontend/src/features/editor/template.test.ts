import { getNearestEditorFromDOMNode } from "lexical";
import { expect, it } from "vitest";
import { htmlOf } from "./extensions/testEditor";
import { TEMPLATE_HTML } from "./template";
import { editable, openNew } from "./testPage";

it("shows placeholders that are not part of the text", async () => {
  const { editor } = await openNew();
  expect(getNearestEditorFromDOMNode(editable())).toBe(editor);
  const placeholders = [...editable().querySelectorAll("[data-placeholder]")];
  expect(placeholders).toHaveLength(7);
  expect(placeholders[1]?.previousElementSibling).toHaveTextContent("Problem Statement");
  expect(placeholders[1]).toHaveAttribute(
    "data-placeholder",
    "What problem does your idea solve, and who has it?",
  );
  expect(htmlOf(editor)).toBe(TEMPLATE_HTML);
  expect(editable().textContent).not.toContain("What problem");
});
