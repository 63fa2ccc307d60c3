import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ListState } from "./ListState";

test("a reload that failed keeps its distance from the rows that stay", () => {
  const query = { data: ["Mill"], isError: true, isFetching: false, refetch: () => undefined };
  render(
    <ListState query={query} failedText="The list could not be loaded.">
      {(rows) => <p>{rows.join()}</p>}
    </ListState>,
  );
  const alert = screen.getByRole("alert");
  expect(alert.nextElementSibling).toBe(screen.getByText("Mill"));
  expect(alert).toHaveClass("not-last:mb-4");
});
