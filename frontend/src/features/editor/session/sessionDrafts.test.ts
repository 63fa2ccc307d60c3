import { waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { forgetUser } from "@/store/currentUserSlice";
import { removeLocalDrafts } from "@/store/localDrafts";
import { anIdea, aUser } from "@/testing/fixtures";
import { draftKey, readDrafts, writeDraft } from "./drafts";
import { startSession } from "./testSession";

const KEY = draftKey(aUser().id, 7);
const ONE = "<p>One.</p>";
const TWO = "<p>One. Two.</p>";

test("no draft is kept after a logout in another tab", () => {
  const { session, adapter } = startSession();
  adapter.write(ONE);
  session.flushDraft();
  expect(readDrafts(KEY)).toMatchObject([{ html: ONE }]);
  removeLocalDrafts(aUser().id);
  adapter.write(TWO);
  window.dispatchEvent(new Event("pagehide"));
  expect(readDrafts(KEY)).toEqual([]);
  expect(session.getView()).toMatchObject({ isDirty: true, isDraftKept: false });
  // The user signs in again in this browser.
  startSession();
  session.flushDraft();
  expect(readDrafts(KEY)).toMatchObject([{ html: TWO }]);
});

test("a draft is kept after the session expired, and when another user logs out", () => {
  const { adapter } = startSession();
  forgetUser({ dispatch: () => undefined });
  removeLocalDrafts("5b0c9d5e-0000-4a7e-9f0e-0f6f9a1c2d3e");
  adapter.write(ONE);
  window.dispatchEvent(new Event("pagehide"));
  expect(readDrafts(KEY)).toMatchObject([{ html: ONE }]);
});

test("a draft that the server has is deleted at the next visit", () => {
  const draft = { session: "s", title: anIdea().title, savedAt: 1, baseRevision: 1 };
  writeDraft(KEY, { ...draft, html: ONE });
  const { session } = startSession(anIdea({ content: ONE, revision: 2 }));
  expect(session.getView().offer).toBeNull();
  expect(readDrafts(KEY)).toEqual([]);
});

test("a draft beyond the limit is refused, and drops none of the others", () => {
  const others = Array.from({ length: 20 }, (_, index) => `other-${index}`);
  const draft = { title: "Draft", html: TWO, savedAt: 1, baseRevision: 1 };
  for (const session of others) expect(writeDraft(KEY, { ...draft, session })).toBe(true);
  const { session, adapter } = startSession();
  adapter.write(ONE);
  session.flushDraft();
  expect(session.getView()).toMatchObject({ isDirty: true, isDraftKept: false });
  expect(readDrafts(KEY).map((kept) => kept.session)).toEqual(expect.arrayContaining(others));
  session.discard();
  session.flushDraft();
  expect(session.getView()).toMatchObject({ isDirty: true, isDraftKept: true });
  expect(readDrafts(KEY)).toHaveLength(20);
});

const COPY = {
  title: anIdea().title,
  content: ONE,
  baseRevision: 1,
  session: "elsewhere",
  keptAt: "2026-03-01T10:00:00Z",
};

test("text that waits on the server is offered, restored and then kept as this session's", async () => {
  const { session, adapter, sentCopies } = startSession(anIdea(), COPY);
  await waitFor(() => expect(session.getView().offer).toMatchObject({ html: ONE }));
  expect(readDrafts(KEY)).toEqual([]);
  session.restore();
  expect(adapter.text()).toBe(ONE);
  expect(session.getView()).toMatchObject({ isDirty: true, offer: null });
  window.dispatchEvent(new Event("pagehide"));
  await waitFor(() => expect(sentCopies).toHaveLength(2));
  expect(sentCopies[0]).toEqual(["discard", 7, "elsewhere"]);
  expect(sentCopies[1]).toMatchObject(["keep", 7, { content: ONE, baseRevision: 1 }]);
});

test("what another text takes the place of is sent first, as a text of its own", async () => {
  const { session, adapter, sentCopies } = startSession(anIdea(), COPY);
  await waitFor(() => expect(session.getView().offer).not.toBeNull());
  adapter.write(TWO);
  session.restore();
  await waitFor(() => expect(sentCopies).toHaveLength(3));
  expect(sentCopies).toMatchObject([
    ["keep", 7, { content: TWO }],
    ["discard", 7, "elsewhere"],
    ["keep", 7, { content: ONE }],
  ]);
  const [aside, , restored] = sentCopies.map(([, , body]) => body as { session: string });
  expect(aside?.session).not.toBe(restored?.session);
});

test("text that waits on the server is neither offered twice nor once it is saved", async () => {
  writeDraft(KEY, { session: "elsewhere", title: "Mine", html: TWO, savedAt: 1, baseRevision: 1 });
  const first = startSession(anIdea(), COPY);
  await waitFor(() => expect(first.session.getView().offer).toMatchObject({ html: TWO }));
  first.session.discard();
  expect(first.session.getView().offer).toBeNull();
  expect(first.sentCopies).toEqual([["discard", 7, "elsewhere"]]);
  const second = startSession(anIdea({ content: ONE, revision: 2 }), COPY);
  await waitFor(() => expect(second.sentCopies).toEqual([["discard", 7, "elsewhere"]]));
  expect(second.session.getView().offer).toBeNull();
});

test("hidden pages send what was typed, and a save discards it", async () => {
  const { session, adapter, nthCall, sentCopies } = startSession();
  adapter.write(ONE);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(sentCopies).toMatchObject([["keep", 7, { content: ONE, baseRevision: 1 }]]);
  const saved = session.save();
  (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
  await saved;
  await waitFor(() => expect(sentCopies).toHaveLength(2));
  const [, , { session: name }] = sentCopies[0] as ["keep", number, { session: string }];
  expect(sentCopies[1]).toEqual(["discard", 7, name]);
});
