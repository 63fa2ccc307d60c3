import { configure, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SharedIdea } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { anAgreement, aSharedIdea } from "./testing/fixtures";

configure({ reactStrictMode: true });

const ID = "0b9c7f8e-1111-4111-8111-111111111111";
const PREVIEW = `/api/shares/${ID}/preview`;

async function openPreview(over: Partial<SharedIdea> = {}) {
  signedIn();
  const shared = { ...aSharedIdea("open"), recipient: null, ...over };
  respondWith("get", PREVIEW, 200, { shared, nda: anAgreement });
  const app = renderRoute(`/preview/${ID}`);
  const bar = await screen.findByRole("region", { name: "Preview" });
  const stages = within(bar).getAllByRole("button");
  const show = (name: string) => app.user.click(within(bar).getByRole("button", { name }));
  return { ...app, bar, stages, show };
}

test("shows each stage as a reader sees it, and sends nothing", async () => {
  const { bar, stages, show } = await openPreview();
  expect(bar).toHaveTextContent("Nothing is sent or recorded here.");
  expect(stages.map((stage) => stage.textContent)).toEqual([
    "Your details",
    "Agreement",
    "Document",
  ]);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(
    "Ada Lovelace would like to show you an idea",
  );
  expect((await screen.findByLabelText("Full name")).closest("[inert]")).not.toBeNull();

  await show("Agreement");
  const region = screen.getByRole("region", { name: "Agreement text" });
  expect(region).toHaveTextContent("8. Clause name. Body of clause 8.");
  expect(region.closest("[inert]")).toBeNull();
  const answer = screen.getByRole("button", { name: "Decline" });
  expect(answer.closest("[inert]")).not.toBeNull();

  const asked = vi.spyOn(globalThis, "fetch");
  await show("Document");
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  const close = screen.getByRole("button", { name: "Close" });
  expect(close.closest("[inert]")).not.toBeNull();
  // What the head of the page asks for says nothing about the link.
  const paths = asked.mock.calls.map(
    ([input]) => new URL(input instanceof Request ? input.url : String(input)).pathname,
  );
  expect(paths.filter((path) => !path.startsWith("/api/notices/"))).toEqual([]);
});

test("shows the code on a link for one address", async () => {
  const { show } = await openPreview({ shareType: "email" });
  await show("Code");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Confirm your email address");
  expect(screen.getByLabelText("Code").closest("[inert]")).not.toBeNull();
});

test("says when the link is none of the creator's, and can be asked again", async () => {
  signedIn();
  respondWith("get", PREVIEW, 404, {});
  const { user } = renderRoute(`/preview/${ID}`);
  expect(await screen.findByText(/This link does not exist, or it belongs to/)).toBeVisible();
  respondWith("get", PREVIEW, 200, { shared: aSharedIdea("open"), nda: anAgreement });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("region", { name: "Preview" })).toBeVisible();
});

test.each(["/view/tok", "/collect?accessToken=tok", "/document/tok"])(
  "leads the owner of a link from %s to its preview",
  async (page) => {
    localStorage.setItem("currentUser", JSON.stringify(aUser()));
    signedIn();
    const found = respondWith("get", "/api/shares/by-token/tok", 200, { id: ID });
    respondWith("get", PREVIEW, 200, { shared: aSharedIdea("open"), nda: anAgreement });
    respondWith("get", "/api/share/tok", 200, aSharedIdea("collect"));
    const { path } = renderRoute(page);
    await waitFor(() => expect(path()).toBe(`/preview/${ID}`));
    expect(found).not.toHaveLength(0);
  },
);

test.each([
  [200, { id: null }],
  [401, {}],
  [503, {}],
])("opens the link of another for a creator (%i)", async (status, answer) => {
  localStorage.setItem("currentUser", JSON.stringify(aUser()));
  signedIn();
  respondWith("get", "/api/shares/by-token/tok", status, answer);
  respondWith("get", "/api/share/tok", 200, aSharedIdea("collect"));
  const { path } = renderRoute("/view/tok");
  expect(await screen.findByLabelText("Full name")).toBeVisible();
  expect(path()).toBe("/view/tok");
});
