import { expect, test } from "vitest";
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
