import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { LegacyContent } from "./LegacyContent";

/** An object whose innermost list is at this level. */
const nested = (levels: number, text: string) =>
  Array.from({ length: levels - 1 }).reduce<object>((inner) => ({ a: inner }), [text]);

test("shows text as deep as the server stores it", () => {
  render(<LegacyContent content={nested(32, "Hull")} />);
  expect(screen.getByText("Hull")).toBeVisible();
});

test("says that deeper text is not shown", () => {
  render(<LegacyContent content={[nested(32, "Hull"), "Sail"]} />);
  expect(screen.queryByText("Hull")).toBeNull();
  expect(screen.getByText(/not shown here/)).toBeVisible();
  expect(screen.getByText("Sail")).toBeVisible();
});

test("leaves out the words of the format, and no other type", () => {
  const content = {
    type: "doc",
    content: [{ type: "paragraph", children: [{ type: "text", text: "Hull" }] }, { type: "Sail" }],
  };
  const { container } = render(<LegacyContent content={content} />);
  const texts = [...container.querySelectorAll(".prose-document p")];
  expect(texts.map(({ textContent }) => textContent)).toEqual(["Hull", "Sail"]);
});
