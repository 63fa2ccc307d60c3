import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { WordChanges } from "./WordChanges";

const lines = (...texts: string[]) => texts.join("\n");
const same = Array.from({ length: 12 }, (_, number) => `Line ${number}`);

test("counts the changes, and leads from one to the next and back", async () => {
  const user = userEvent.setup();
  render(
    <WordChanges
      from={lines("It waits long", ...same, "It folds")}
      to={lines("It waits short", ...same, "It folds twice")}
    />,
  );
  expect(screen.getByText("2 changes")).toBeVisible();
  const previous = screen.getByRole("button", { name: "Previous change" });
  const next = screen.getByRole("button", { name: "Next change" });
  expect(previous).toBeDisabled();
  await user.click(next);
  expect(screen.getByText("Change 1 of 2")).toBeVisible();
  expect(document.activeElement).toHaveTextContent("longshort");
  await user.click(next);
  expect(document.activeElement).toHaveTextContent("twice");
  expect(next).toBeDisabled();
  await user.click(previous);
  expect(document.activeElement).toHaveTextContent("longshort");
});

test("folds what is unchanged but for the lines beside a change", async () => {
  const user = userEvent.setup();
  render(<WordChanges from={lines("Old", ...same, "End")} to={lines("New", ...same, "End.")} />);
  expect(screen.queryByText(/Line 5/)).not.toBeInTheDocument();
  expect(screen.getByText(/Line 0/)).toBeVisible();
  expect(screen.getByText(/Line 11/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Show \d+ unchanged lines$/ }));
  expect(screen.getByText(/Line 5/)).toBeVisible();
});
