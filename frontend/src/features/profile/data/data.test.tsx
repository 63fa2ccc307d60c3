import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import { deferResponse, loseResponse, neverRespond, respondWith, signedIn } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

afterEach(() => vi.restoreAllMocks());

async function openSection(twoStep = false) {
  signedIn();
  respondWith("get", "/api/auth/totp", 200, { enabled: twoStep, recoveryCodesLeft: 10 });
  const app = renderRoute("/profile");
  const region = await screen.findByRole("region", { name: "Your data" });
  return { ...app, section: within(region) };
}

async function openDeletion(twoStep = false) {
  const app = await openSection(twoStep);
  await app.user.click(app.section.getByRole("button", { name: "Delete account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  if (twoStep) await dialog.findByLabelText("Code from your authenticator app");
  return { ...app, dialog };
}

test("exports everything into a file", async () => {
  const { user, section } = await openSection();
  server.use(
    http.get("*/api/account/export", () =>
      HttpResponse.arrayBuffer(new Uint8Array(2_000).buffer, {
        headers: {
          "Content-Type": "application/zip",
          "Content-Disposition": 'attachment; filename="ideavault-export.zip"',
        },
      }),
    ),
  );
  const saved: string[] = [];
  URL.createObjectURL = vi.fn(() => "blob:export");
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  await user.click(section.getByRole("button", { name: "Export everything" }));
  expect(await section.findByText("Your data was exported.")).toBeInTheDocument();
  expect(saved).toEqual(["ideavault-export.zip"]);
});

test("shows that the export is being made, and cancels it", async () => {
  const { user, section } = await openSection();
  neverRespond("get", "/api/account/export");
  await user.click(section.getByRole("button", { name: "Export everything" }));
  expect(await section.findByRole("progressbar", { name: "Export everything" })).toBeVisible();
  expect(section.getAllByText("Collecting your data…")).not.toHaveLength(0);
  await user.click(section.getByRole("button", { name: "Cancel export" }));
  expect(section.queryByRole("progressbar")).not.toBeInTheDocument();
});

test("shows why an export failed, and tries again", async () => {
  const { user, section } = await openSection();
  respondWith("get", "/api/account/export", 429, {
    message: "Too many requests. Please try again later.",
  });
  await user.click(section.getByRole("button", { name: "Export everything" }));
  expect(await section.findByRole("alert")).toHaveTextContent("Too many requests");
  const calls = neverRespond("get", "/api/account/export");
  await user.click(section.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(section.queryByRole("alert")).not.toBeInTheDocument();
});

test("says what is deleted, what stays and what others keep before an account is deleted", async () => {
  const { user, dialog } = await openDeletion();
  for (const name of ["What is deleted", "What stays as evidence", "What others keep"]) {
    expect(dialog.getByText(name)).toBeVisible();
  }
  const deleted = respondWith("delete", "/api/account", 204);
  await user.click(dialog.getByRole("button", { name: "Delete for good" }));
  expect(await dialog.findByText("Please enter your password")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Keep my account" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(deleted).toHaveLength(0);
});

test("keeps what was typed when the password is wrong, then deletes the account", async () => {
  const { user, dialog, path, store } = await openDeletion();
  respondWith("delete", "/api/account", 400, {
    message: "This is not your password. Nothing was deleted.",
    field: "password",
  });
  const password = dialog.getByLabelText("Your password");
  await user.type(password, "brass-and-in{Enter}");
  await dialog.findByText("This is not your password. Nothing was deleted.");
  expect(password).toHaveValue("brass-and-in");

  const deleted = respondWith("delete", "/api/account", 204);
  await user.type(password, "k{Enter}");
  expect(await screen.findByText("Your account is deleted.")).toBeVisible();
  expect(deleted[0]?.body).toEqual({ password: "brass-and-ink", code: null });
  expect(path()).toBe("/login");
  expect(store.getState().currentUser.user).toBeNull();
});

test("stays open while the account is being deleted, and says that it failed", async () => {
  const { user, dialog } = await openDeletion();
  const { calls, release } = deferResponse("delete", "/api/account");
  await user.type(dialog.getByLabelText("Your password"), "brass-and-ink{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(dialog.getByRole("button", { name: "Keep my account" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await user.keyboard("{Escape}");
  release(503, { message: "The database is away." });
  expect(await dialog.findByRole("alert")).toHaveTextContent("The database is away.");
  await user.click(dialog.getByRole("button", { name: "Keep my account" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("says that the account may be deleted when no answer comes", async () => {
  const { user, dialog } = await openDeletion();
  loseResponse("delete", "/api/account");
  await user.type(dialog.getByLabelText("Your password"), "brass-and-ink{Enter}");
  expect(await dialog.findByRole("alert")).toHaveTextContent("may already have been deleted");
});

test("asks for a code with two-step sign-in", async () => {
  const { user, dialog } = await openDeletion(true);
  const deleted = respondWith("delete", "/api/account", 400, {
    message: "This code does not work.",
    field: "code",
  });
  await user.type(dialog.getByLabelText("Your password"), "brass-and-ink");
  await user.click(dialog.getByRole("button", { name: "Delete for good" }));
  await dialog.findByText("Please enter the code from your app, or a recovery code");
  await user.type(dialog.getByLabelText("Code from your authenticator app"), "123–456{Enter}");
  await dialog.findByText("This code does not work.");
  expect(deleted[0]?.body).toEqual({ password: "brass-and-ink", code: "123456" });
  expect(dialog.getByLabelText("Your password")).toHaveValue("brass-and-ink");
});

test("asks for a code that only the server knew of", async () => {
  const { user, dialog } = await openDeletion();
  respondWith("delete", "/api/account", 400, {
    message: "Enter the code from your authenticator app.",
    field: "code",
  });
  await user.type(dialog.getByLabelText("Your password"), "brass-and-ink{Enter}");
  expect(await dialog.findByLabelText("Code from your authenticator app")).toBeVisible();
});
