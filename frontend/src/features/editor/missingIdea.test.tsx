import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { respondWith, signedIn } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { messages } from "./messages";
import { draftKey, readDrafts, writeDraft } from "./session/drafts";
import { button, confirmDiscard, showsText } from "./testPage";

const KEY = draftKey(aUser().id, 7);
const DRAFT = { title: "Mine", html: "<p>Mine.</p>", baseRevision: 1 };
const COPY = anIdea({ id: 8, title: "Mine", content: DRAFT.html });

/** Opens an idea that was deleted elsewhere while this browser still has drafts of it. */
async function openMissing(...sessions: string[]) {
  for (const [savedAt, session] of sessions.entries()) {
    writeDraft(KEY, { ...DRAFT, session, savedAt });
  }
  signedIn();
  respondWith("get", "/api/ideas/7", 404, { message: "Not found." });
  const app = renderRoute("/editor/7");
  await screen.findByRole("heading", { name: "Idea not found" });
  return app;
}

test("unsaved text of a deleted idea becomes a new idea, once", async () => {
  const { user, path } = await openMissing("s");
  const offer = within(screen.getByRole("region", { name: "Unsaved draft" }));
  const requests: { key: string | null; body: unknown }[] = [];
  let status = 504;
  server.use(
    http.post("*/api/ideas", async ({ request }) => {
      requests.push({ key: request.headers.get("Idempotency-Key"), body: await request.json() });
      return HttpResponse.json(status === 504 ? { message: "Too slow." } : COPY, { status });
    }),
  );
  await user.click(offer.getByRole("button", { name: "Save as a new idea" }));
  expect(await screen.findByText(messages.createFailed)).toBeInTheDocument();
  expect(readDrafts(KEY)).toHaveLength(1);

  status = 201;
  respondWith("get", "/api/ideas/8", 200, COPY);
  await user.click(offer.getByRole("button", { name: "Save as a new idea" }));
  expect(await screen.findByText(messages.created)).toBeInTheDocument();
  await waitFor(() => expect(path()).toBe("/editor/8"));
  await showsText("Mine.");
  expect(readDrafts(KEY)).toEqual([]);
  expect(requests.map(({ body }) => body)).toEqual([
    { title: "Mine", content: DRAFT.html, session: "s" },
    { title: "Mine", content: DRAFT.html, session: "s" },
  ]);
  expect(requests[0]?.key).toMatch(/^[\w-]{21}$/);
  expect(requests[1]?.key).toBe(requests[0]?.key);
});

test("unsaved text of a deleted idea is discarded, after a question", async () => {
  const { user } = await openMissing("s");
  await user.click(button("Discard"));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(button("Discard")).toHaveFocus());
  expect(readDrafts(KEY)).toHaveLength(1);
  await user.click(button("Discard"));
  await confirmDiscard(user);
  await waitFor(() => expect(readDrafts(KEY)).toEqual([]));
  await waitFor(() => expect(screen.queryByText(/Unsaved changes/)).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus());
});

test("each of several unsaved texts is offered before the page is left", async () => {
  const { user, path } = await openMissing("older", "newer");
  respondWith("post", "/api/ideas", 201, COPY);
  respondWith("get", "/api/ideas/8", 200, COPY);
  await user.click(button("Save as a new idea"));
  await waitFor(() => expect(readDrafts(KEY)).toMatchObject([{ session: "older" }]));
  expect(await screen.findByText(messages.created)).toBeInTheDocument();
  expect(path()).toBe("/editor/7");
  await waitFor(() => expect(button("Save as a new idea")).not.toHaveAttribute("aria-busy"));
  await user.click(button("Save as a new idea"));
  await waitFor(() => expect(path()).toBe("/editor/8"));
});
