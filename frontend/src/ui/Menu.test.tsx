import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Menu } from "./Menu";

const items = ["Profile Settings", "Log Out"].map((label) => ({ label, onSelect: () => {} }));

const show = () => {
  render(
    <Menu label="Account" items={items}>
      A
    </Menu>,
  );
  return userEvent.setup();
};

test("opened by a key, it begins at its first item, the first time, too", async () => {
  const user = show();
  await user.tab();
  await user.keyboard("{Enter}");
  const first = await screen.findByRole("menuitem", { name: "Profile Settings" });
  await waitFor(() => expect(first).toHaveFocus());
  await user.keyboard("{ArrowDown}");
  const second = screen.getByRole("menuitem", { name: "Log Out" });
  await waitFor(() => expect(second).toHaveFocus());
});

test("opened by a click, it highlights no item", async () => {
  const user = show();
  await user.click(screen.getByRole("button", { name: "Account" }));
  const menu = await screen.findByRole("menu");
  await waitFor(() => expect(menu).toHaveFocus());
});
