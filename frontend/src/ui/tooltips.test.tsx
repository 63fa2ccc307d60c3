import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { Tooltips } from "./Tooltips";

/** A button, and a function that is called when its tooltip is about to be shown. */
function aButton() {
  render(
    <>
      <button type="button" data-tooltip="Add link (Ctrl+K)">
        Add link
      </button>
      <Tooltips />
    </>,
  );
  const button = screen.getByRole("button", { name: "Add link" });
  const shown = vi.fn();
  button.addEventListener("pointermove", shown);
  return { button, shown };
}

const mouse = { pointerType: "mouse" };

test("a tooltip is shown for what the mouse enters", async () => {
  const { button, shown } = aButton();
  fireEvent.pointerOver(button, mouse);
  await waitFor(() => expect(shown).toHaveBeenCalled());
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Add link (Ctrl+K)");
});

test("a tooltip is shown without https", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("crypto", { randomUUID: undefined });
  const { button } = aButton();
  fireEvent.pointerOver(button, mouse);
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Add link (Ctrl+K)");
});

test.each(["pointerDown", "pointerOut"] as const)(
  "a tooltip whose code arrives after %s is not shown",
  async (event) => {
    const { button, shown } = aButton();
    fireEvent.pointerOver(button, mouse);
    fireEvent[event](button, mouse);
    await import("./TooltipWindow");
    await waitFor(() => Promise.resolve());
    expect(shown).not.toHaveBeenCalled();
  },
);
