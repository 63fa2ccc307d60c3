import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { messages } from "./messages";
import { button, editable, openIdea, openNew, type } from "./testPage";

test("an idea that is created after the screen was left does not open", async () => {
  const { user, path, router } = await openNew();
  respondWith("get", "/api/ideas", 200, []);
  const create = deferResponse("post", "/api/ideas");
  await user.click(button(messages.create));
  await waitFor(() => expect(create.calls).toHaveLength(1));
  const left = editable();
  await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  // The address changes before the page does.
  await waitFor(() => expect(left).not.toBeInTheDocument());
  expect(path()).toBe("/dashboard");
  const navigate = vi.spyOn(router, "navigate");
  create.release(201, anIdea({ id: 12 }));
  expect(await screen.findByText(messages.created)).toBeInTheDocument();
  expect(navigate).not.toHaveBeenCalled();
});

test("a text saved as a new idea after the screen was left does not open", async () => {
  const { user, path, router, editor } = await openIdea();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("put", "/api/ideas/7", 404, { message: "Not found." });
  const create = deferResponse("post", "/api/ideas");
  await type(editor, " Mine.");
  await user.click(button(messages.save));
  await user.click(await screen.findByRole("button", { name: "Save as a new idea" }));
  await waitFor(() => expect(create.calls).toHaveLength(1));
  const left = editable();
  await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  // The address changes before the page does.
  await waitFor(() => expect(left).not.toBeInTheDocument());
  expect(path()).toBe("/dashboard");
  const navigate = vi.spyOn(router, "navigate");
  create.release(201, anIdea({ id: 8 }));
  expect(await screen.findByText(messages.created)).toBeInTheDocument();
  expect(navigate).not.toHaveBeenCalled();
});
