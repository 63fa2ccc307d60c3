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

test("shows all other rows at once when it has no step", async () => {
  show();
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByText("10 rows")).toBeVisible();
});
