/** Helpers of the tests of the share screen. */
import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { Activity } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { aComment, anIdea, aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

/** A recipient who confirmed the address. */
export const recipient = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "Rosa Lindt",
  email: "rosa@example.com",
  phone: null,
  erased: false,
  identity: "emailConfirmed" as const,
  emailConfirmedAt: "2026-11-20T10:01:30.000000Z",
};
/** Fields that all activities on the link share. */
export const common = { shareId: aShare().id, shareType: "one-time", recipient } as const;
export const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Answers the calls of the share screen. */
export function serve({ shares = [aShare()], activity = [] as Activity[] } = {}) {
  signedIn();
  respondWith("get", "/api/ideas/7", 200, anIdea());
  respondWith("get", "/api/ideas/7/activity", 200, activity);
  respondWith("get", "/api/comments", 200, [aComment()]);
  return respondWith("get", "/api/ideas/7/shares", 200, shares);
}

/** Opens the share screen of the idea that `serve` has. */
export async function openShare() {
  const app = renderRoute("/share/7");
  await screen.findByRole("heading", { name: "Share your idea" });
  // The form waits for the list.
  await screen.findByText("Share type");
  return app;
}

/** Queries within a section of the screen. */
export const region = (name: string) => within(screen.getByRole("region", { name }));

/** Opens the settings of the only link that the screen shows. */
export async function openSettings(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: /^Settings/ }));
  const settings = within(await screen.findByRole("region", { name: /^Settings/ }));
  await settings.findByLabelText("Link name");
  return settings;
}
