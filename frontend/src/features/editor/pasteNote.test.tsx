import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { openIdea, paste, type } from "./testPage";

const slow = vi.hoisted(() => {
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  return { load: () => load(), loaded };
});
vi.mock("./components/PasteLossesWindow", async (original) => {
  await slow.loaded;
  return original();
});

it("does not offer to undo what was written before the note appeared", async () => {
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, "<p><u>b</u></p>");
  await type(editor, "y");
  await act(async () => slow.load());
  expect(await screen.findByText("Pasted without underlining.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Undo paste" })).toBeNull();
});
