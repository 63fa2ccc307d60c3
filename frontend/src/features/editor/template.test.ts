import { getNearestEditorFromDOMNode } from "lexical";
import { expect, it } from "vitest";
import { htmlOf } from "./extensions/testEditor";
import { TEMPLATE_HTML } from "./template";
import { editable, openNew } from "./testPage";

it("shows hints that are not part of the text", async () => {
  const { editor } = await openNew();
  expect(getNearestEditorFromDOMNode(editable())).toBe(editor);
  const hinted = [...editable().querySelectorAll("[data-hint]")];
  expect(hinted).toHaveLength(7);
  expect(hinted[1]?.previousElementSibling).toHaveTextContent("Problem Statement");
  expect(hinted[1]).toHaveAttribute(
    "data-hint",
    "What problem does your idea solve, and who has it?",
  );
  expect(htmlOf(editor)).toBe(TEMPLATE_HTML);
  expect(editable().textContent).not.toContain("What problem");
});
