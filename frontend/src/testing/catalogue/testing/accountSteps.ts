import { screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { renderRoute } from "@/testing/render";
import { type App, fill, press } from "./steps";

/** Creates a file of a media type, with arbitrary content. */
export const aFile = (name: string, type: string) => new File(["content"], name, { type });

/** Signs in with an address that has stray spaces and capitals. */
export async function logIn(): Promise<App> {
  const app = renderRoute("/login");
  await fill({ Email: " Ada@Example.org ", Password: "secret" });
  await press(app, "Sign in");
  return app;
}

export async function register(): Promise<App> {
  const app = renderRoute("/register");
  await fill({
    "Full Name": "Ada Lovelace",
    Email: "ada@example.org",
    Password: "secret",
    "Confirm Password": "secret",
  });
  await press(app, "Create account");
  return app;
}

export async function sendResetLink(): Promise<App> {
  const app = renderRoute("/forgot-password");
  await fill({ Email: "ada@example.org" });
  await press(app, "Send Reset Link");
  return app;
}

export async function logOutOfDashboard(): Promise<App> {
  const app = renderRoute("/dashboard");
  await press(app, "Account");
  await app.user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  return app;
}

export async function logOutOfProfile(): Promise<App> {
  const app = renderRoute("/profile");
  await press(app, "Logout");
  return app;
}

export async function changePassword(): Promise<App> {
  const app = renderRoute("/profile");
  await press(app, "Change Password");
  await fill({
    "Current Password": "old-secret",
    "New Password": "secret",
    "Confirm New Password": "secret",
  });
  await press(app, "Change Password");
  return app;
}

export async function saveProfile(): Promise<App> {
  const app = renderRoute("/profile");
  await fill({ Name: "Ada King" });
  await press(app, "Save Changes");
  return app;
}

export async function changePhoto(): Promise<App> {
  const app = renderRoute("/profile");
  await app.user.upload(await screen.findByLabelText("Photo file"), aFile("me.png", "image/png"));
  return app;
}

/** Waits until the application is at a path. */
export const arrivesAt = (app: App, path: string) => waitFor(() => expect(app.path()).toBe(path));
