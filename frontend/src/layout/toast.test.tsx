import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { errorToast, successToast } from "@/store/toastSlice";
import { renderRoute } from "@/testing/render";

const area = () => screen.findByRole("region", { name: "Notifications (F8)" });

test("shows one toast at a time: the newest", async () => {
  const { store } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(successToast("first")));
  await within(await area()).findByText("first");
  act(() => void store.dispatch(errorToast("second")));
  await within(await area()).findByText("second");
  await waitFor(async () => expect(await area()).not.toHaveTextContent("first"));
});

test("disappears when it is dismissed", async () => {
  const { store, user } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(errorToast("gone soon")));
  await user.click(await screen.findByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText("gone soon")).not.toBeInTheDocument());
});

test("leaves Escape to an open dialog, and handles it when there is none", async () => {
  const { store, user } = renderRoute("/");
  await user.click(await screen.findByRole("button", { name: "Get Started" }));
  const dialog = await screen.findByRole("dialog");
  act(() => void store.dispatch(successToast("on top")));
  await screen.findByText("on top");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByText("on top")).toBeInTheDocument();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("on top")).not.toBeInTheDocument());
});

test("takes focus on F8", async () => {
  const { store, user } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(successToast("here")));
  await within(await area()).findByText("here");
  const list = within(await area()).getByRole("list");
  expect(list).not.toHaveFocus();
  await user.keyboard("[F8]");
  await waitFor(() => expect(list).toHaveFocus());
});

test("can be dismissed after an Escape that something else on the page has used", async () => {
  const { store, user } = renderRoute("/no-such-page");
  await screen.findByRole("heading", { name: "404 Page Not Found" });
  act(() => void store.dispatch(successToast("here")));
  await within(await area()).findByText("here");
  const field = document.body.appendChild(document.createElement("input"));
  field.addEventListener("keydown", (event) => event.stopPropagation());
  field.focus();
  await user.keyboard("{Escape}");
  field.remove();
  expect(screen.getByText("here")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText("here")).not.toBeInTheDocument());
});
