import { fireEvent, screen, within } from "@testing-library/react";
import { vi } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { type App, fill, press } from "./steps";

/** Serves a link whose recipient has to accept the agreement. */
export const atAgreement = () => void respondWith("get", "/api/share/tok", 200, aSharedIdea("nda"));

/** Serves a link whose recipient may read. */
export const atDocument = () => void respondWith("get", "/api/share/tok", 200, aSharedIdea("open"));

export async function openShare(): Promise<App> {
  const app = renderRoute("/share/7");
  await screen.findByRole("heading", { name: "Share your idea" });
  // The form waits for the list of links.
  await screen.findByText("Share type");
  return app;
}

/** Creates a link of a type, given as the label of its radio button. */
export async function createShare(
  type = "Full access (unlimited views)",
  fields: Readonly<Record<string, string>> = {},
): Promise<App> {
  const app = await openShare();
  await app.user.click(screen.getByRole("radio", { name: type }));
  await fill(fields);
  await press(app, /^(Generate Share Link|Send Email Invitation)$/);
  return app;
}

/** Enters and submits a recipient's details. */
export async function giveDetails(phone = ""): Promise<App> {
  const app = renderRoute("/view/tok");
  await fill({
    "Full name": "Grace Hopper",
    Email: "grace@example.org",
    "Phone (optional)": phone,
  });
  await press(app, "Continue to the agreement");
  return app;
}

export async function agree(app = renderRoute("/nda/tok")): Promise<App> {
  await press(app, "I Agree");
  return app;
}

export async function decline(): Promise<App> {
  const app = renderRoute("/nda/tok");
  await press(app, "Decline");
  const question = within(await screen.findByRole("alertdialog"));
  await app.user.click(question.getByRole("button", { name: "Decline" }));
  return app;
}

export async function openDocument(): Promise<App> {
  const app = renderRoute("/document/tok");
  await screen.findByLabelText("Add a comment");
  return app;
}

export async function comment(): Promise<App> {
  const app = await openDocument();
  await fill({ "Add a comment": " Clever " });
  await press(app, "Send");
  return app;
}

export async function search(idea = " A planter "): Promise<App> {
  const app = renderRoute("/");
  await fill({ "Your idea": idea });
  await press(app, "Search");
  return app;
}

export async function openWaitlist(): Promise<App> {
  const app = renderRoute("/");
  await press(app, "Get Started");
  await press(app, "Join Waitlist");
  return app;
}

export async function joinWaitlist(): Promise<App> {
  const app = await openWaitlist();
  await fill({ Name: "Ada", Email: "ada@example.org", Profession: "Engineer" });
  await press(app, "Join Waitlist");
  return app;
}

/** Finds the agreement's text. */
export const agreementText = () => screen.findByRole("region", { name: "Agreement text" });

/** Fakes layout, which jsdom lacks: 300 px of a content of `height`. */
export function layOut(height: number): void {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(300);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(height);
}

/** Sets the scroll position and fires the event. */
export function scrollTo(region: HTMLElement, top: number): void {
  region.scrollTop = top;
  fireEvent.scroll(region);
}
