import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ShowMore } from "./ShowMore";

const rows = Array.from({ length: 10 }, (_, index) => index);

const show = (step?: number) =>
  render(
    <ShowMore rows={rows} first={3} of="Drafts" {...(step === undefined ? {} : { step })}>
      {(shown) => <p>{shown.length} rows</p>}
    </ShowMore>,
  );

test("shows more rows, step by step, until there are no more", async () => {
  show(4);
  await userEvent.click(screen.getByRole("button", { name: /^Show more \(7\).*of Drafts/ }));
  expect(screen.getByText("7 rows")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: /^Show more \(3\)/ }));
  expect(screen.getByText("10 rows")).toBeVisible();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

test("focuses the first of the last rows, since the button has gone", async () => {
  render(
    <ShowMore rows={rows} first={3} step={4}>
      {(shown) => (
        <>
          <ul>
            {shown.map((row) => (
              <li key={row}>Row {row}</li>
            ))}
          </ul>
          <ul>
            <li>More about the rows</li>
          </ul>
        </>
      )}
    </ShowMore>,
  );
  const button = screen.getByRole("button");
  await userEvent.click(button);
  expect(button).toHaveFocus();
  await userEvent.click(button);
  expect(screen.getByText("Row 7")).toHaveFocus();
});

test("shows all other rows at once when it has no step", async () => {
  show();
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByText("10 rows")).toBeVisible();
});
