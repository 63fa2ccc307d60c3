import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderRoute } from "@/testing/render";

test("speaks of the private beta only where registration is not open", async () => {
  renderRoute("/");
  expect(await screen.findByText("Private beta.")).toHaveClass(
    "in-data-[registration=open]:hidden",
  );
});

test("draws the card's frame at once, and the drawing into it", async () => {
  renderRoute("/");
  const title = await screen.findByText("Self-winding letter press");
  const frame = title.closest("[aria-hidden]");
  expect(frame?.closest("main")).not.toBeNull();
  expect(frame?.firstElementChild).toHaveClass("bg-page", "sm:min-h-78");
});
