import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ConfirmDialogWindow } from "./ConfirmDialogWindow";

test("cannot be closed while the action runs", async () => {
  const change = vi.fn();
  const question = (busy: boolean) => (
    <ConfirmDialogWindow
      open
      onOpenChange={change}
      title="Withdraw this comment?"
      description="Its text is deleted for everybody."
      confirmLabel="Withdraw"
      busy={busy}
      onConfirm={() => undefined}
    />
  );
  const { rerender } = render(question(true));
  const user = userEvent.setup();
  const cancel = screen.getByRole("button", { name: "Cancel" });
  expect(cancel).toBeDisabled();
  await user.click(cancel);
  screen.getByRole("alertdialog").focus();
  await user.keyboard("{Escape}");
  expect(change).not.toHaveBeenCalled();

  rerender(question(false));
  await user.keyboard("{Escape}");
  expect(change).toHaveBeenCalledWith(false);
});
