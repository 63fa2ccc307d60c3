import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { loseResponse, neverRespond, respondWith, signedIn } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

async function openProfile() {
  signedIn();
  const app = renderRoute("/profile");
  await screen.findByLabelText("Name");
  return app;
}

const picture = (name = "me.png", type = "image/png", size?: number) => {
  const file = new File(["pixels"], name, { type });
  if (size !== undefined) Object.defineProperty(file, "size", { value: size });
  return file;
};

test("shows that the profile is loading, then the profile", async () => {
  let calls = 0;
  let release: (() => void) | undefined;
  server.use(
    http.get("*/api/auth/me", async () => {
      calls += 1;
      // The first response passes the guard, the second is the page's own request.
      if (calls > 1)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return HttpResponse.json(aUser());
    }),
  );
  renderRoute("/profile");
  expect(await screen.findByText("Loading profile...")).toBeVisible();
  await waitFor(() => expect(release).toBeDefined());
  release?.();
  expect(await screen.findByLabelText("Name")).toHaveValue("Ada Lovelace");
  await waitFor(() => expect(screen.queryByText("Loading profile...")).not.toBeInTheDocument());
});

test("shows the email read-only, with the reason", async () => {
  await openProfile();
  const email = screen.getByLabelText("Email");
  expect(email).toHaveValue("ada@example.org");
  expect(email).toHaveAttribute("readonly");
  expect(email).toHaveAccessibleDescription("Email cannot be changed");
});

test("saves a new name, in the store and in the browser", async () => {
  const { user, store } = await openProfile();
  const calls = respondWith("put", "/api/profile", 200, aUser({ name: "Ada King" }));
  signedIn(aUser({ name: "Ada King" }));
  const name = screen.getByLabelText("Name");
  await user.clear(name);
  await user.type(name, " Ada King ");
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText("Profile updated")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ name: "Ada King" }]);
  await waitFor(() => expect(store.getState().currentUser.user?.name).toBe("Ada King"));
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(
      aUser({ name: "Ada King" }),
    ),
  );
  await waitFor(() => expect(name).toHaveValue("Ada King"));
});

test("keeps the name that could not be saved", async () => {
  const { user } = await openProfile();
  respondWith("put", "/api/profile", 503, { message: "The database is away." });
  await user.type(screen.getByLabelText("Name"), " King");
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText("Failed to update profile. Please try again.")).toBeVisible();
  expect(await screen.findByRole("alert")).toHaveTextContent("The database is away.");
  expect(screen.getByLabelText("Name")).toHaveValue("Ada Lovelace King");
});

test("uploads a photo as the multipart field 'image', and shows it", async () => {
  const { user, store } = await openProfile();
  let body = "";
  server.use(
    http.post("*/api/profile/image", async ({ request }) => {
      body = await request.text();
      return HttpResponse.json(aUser({ profileImage: "/api/files/f1" }));
    }),
  );
  signedIn(aUser({ profileImage: "/api/files/f1" }));
  await user.upload(screen.getByLabelText("Photo file"), picture());
  expect(await screen.findByText("Image uploaded")).toBeVisible();
  expect(body).toContain('name="image"');
  await waitFor(() =>
    expect(store.getState().currentUser.user?.profileImage).toBe("/api/files/f1"),
  );
  const photo = screen.getByRole("button", { name: "Change Photo" });
  await waitFor(() =>
    expect(within(photo).getByRole("presentation")).toHaveAttribute("src", "/api/files/f1"),
  );
});

test("shows that the image is being uploaded", async () => {
  const { user } = await openProfile();
  const calls = neverRespond("post", "/api/profile/image");
  await user.upload(screen.getByLabelText("Photo file"), picture());
  expect(await screen.findByText("Uploading image...")).toBeVisible();
  const photo = screen.getByRole("button", { name: "Change Photo" });
  await waitFor(() => expect(photo).toHaveAttribute("aria-busy", "true"));
  await waitFor(() => expect(calls).toHaveLength(1));
});

test("a photo whose answer was lost is not stored twice", async () => {
  const { user } = await openProfile();
  const lost = loseResponse("post", "/api/profile/image");
  const file = picture();
  await user.upload(screen.getByLabelText("Photo file"), file);
  expect(await screen.findByRole("alert")).toBeVisible();
  const photo = aUser({ profileImage: "/api/files/f1" });
  const keys: (string | null)[] = [];
  server.use(
    http.post("*/api/profile/image", ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return HttpResponse.json(photo);
    }),
  );
  signedIn(photo);
  await user.upload(screen.getByLabelText("Photo file"), file);
  expect(await screen.findByText("Image uploaded")).toBeVisible();
  expect(keys).toEqual(lost);
});

test("shows why an image could not be uploaded", async () => {
  const { user } = await openProfile();
  answerImage(422, "This is no image.");
  await user.upload(screen.getByLabelText("Photo file"), picture());
  expect(await screen.findByRole("alert")).toHaveTextContent("This is no image.");
  expect(screen.queryByText(/Failed to upload image/)).not.toBeInTheDocument();
});

function answerImage(status: number, message: string) {
  server.use(http.post("*/api/profile/image", () => HttpResponse.json({ message }, { status })));
}

test.each([
  ["notes.pdf", "application/pdf", undefined, "Please choose a PNG, JPEG, GIF or WebP image."],
  ["drawing.svg", "image/svg+xml", undefined, "Please choose a PNG, JPEG, GIF or WebP image."],
  ["huge.png", "image/png", 5_242_881, "Please choose an image of at most 5 MB."],
])("refuses %s before sending it", async (name, type, size, text) => {
  await openProfile();
  const calls = neverRespond("post", "/api/profile/image");
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(screen.getByLabelText("Photo file"), picture(name, type, size));
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(calls).toHaveLength(0);
});

test("the photo button opens the file picker by keyboard", async () => {
  const { user } = await openProfile();
  let opened = 0;
  screen.getByLabelText("Photo file").addEventListener("click", () => {
    opened += 1;
  });
  screen.getByRole("button", { name: "Change Photo" }).focus();
  await user.keyboard("{Enter}");
  expect(opened).toBe(1);
});

async function openPasswordForm() {
  const app = await openProfile();
  await app.user.click(screen.getByRole("button", { name: "Change Password" }));
  await screen.findByLabelText("Current Password");
  const submit = async (current: string, next: string, confirmation: string) => {
    const fill = async (label: string, text: string) => {
      if (text) await app.user.type(screen.getByLabelText(label), text);
    };
    await fill("Current Password", current);
    await fill("New Password", next);
    await fill("Confirm New Password", confirmation);
    const buttons = screen.getAllByRole("button", { name: "Change Password" });
    await app.user.click(buttons[1] as HTMLElement);
  };
  return { ...app, submit };
}

test("the password form opens and closes, and discards what was typed", async () => {
  const { user } = await openPasswordForm();
  await user.type(screen.getByLabelText("Current Password"), "secret");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByLabelText("Current Password")).toBeNull());
  const toggle = screen.getByRole("button", { name: "Change Password" });
  await waitFor(() => expect(toggle).toHaveFocus());
  expect(toggle).toHaveAttribute("aria-expanded", "false");
  await user.click(toggle);
  expect(await screen.findByLabelText("Current Password")).toHaveValue("");
});

test("changes the password and closes the form", async () => {
  const { submit } = await openPasswordForm();
  const calls = respondWith("post", "/api/auth/change-password", 200, { success: true });
  await submit("old-secret", "new-secret", "new-secret");
  expect(await screen.findByText("Password changed")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([
    { currentPassword: "old-secret", newPassword: "new-secret", confirmPassword: "new-secret" },
  ]);
  await waitFor(() => expect(screen.queryByLabelText("Current Password")).toBeNull());
});

test("shows the failure at the field that the server refuses", async () => {
  const { submit } = await openPasswordForm();
  respondWith("post", "/api/auth/change-password", 400, {
    message: "Current password is incorrect",
    field: "currentPassword",
  });
  await submit("wrong", "new-secret", "new-secret");
  await waitFor(() =>
    expect(screen.getByLabelText("Current Password")).toHaveAccessibleDescription(
      "Current password is incorrect",
    ),
  );
  expect(screen.getByLabelText("New Password")).toHaveValue("new-secret");
});

test.each([
  ["no answer comes", () => loseResponse("post", "/api/auth/change-password")],
  ["a proxy got none", () => respondWith("post", "/api/auth/change-password", 504)],
])("says that the password may be changed when %s", async (_, lose) => {
  const { submit } = await openPasswordForm();
  lose();
  await submit("old-secret", "new-secret", "new-secret");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "your password may already have been changed",
  );
});

test("has a default text for a failure without a message", async () => {
  const { submit } = await openPasswordForm();
  respondWith("post", "/api/auth/change-password", 503);
  await submit("old-secret", "new-secret", "new-secret");
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to change password");
});

test("logs out with its own message", async () => {
  const { user, path } = await openProfile();
  respondWith("post", "/api/auth/logout", 200, { success: true });
  await user.click(screen.getByRole("button", { name: "Logout" }));
  expect(await screen.findByText("You have been logged out successfully.")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/login"));
});
