import { describe, expect, test } from "vitest";
import { anIdea } from "@/testing/fixtures";
import { messages } from "../messages";
import { PUBLISHED } from "../testPage";
import {
  type Failure,
  initialState,
  reduceSession,
  type SessionEvent,
  type SessionState,
} from "./sessionState";
import { viewOf } from "./sessionView";

const TEXT = { title: "Idea", html: "<p>One.</p>" };
const FAILURE = { status: 503, message: "503: Down.", detail: "Down.", field: null };
const idea = anIdea(TEXT);
const conflict = { mine: { title: "Idea", content: "<p>Mine.</p>" }, other: idea };

/** Applies events to a state that cannot be changed in place. */
const apply = (...events: SessionEvent[]): SessionState =>
  events.reduce(
    (state: SessionState, event) => Object.freeze(reduceSession(state, Object.freeze(event))),
    Object.freeze(initialState(TEXT, idea, null)),
  );

const compared = (html: string, isDraftKept = true): SessionEvent => ({
  type: "compared",
  html,
  isDraftKept,
});
const started: SessionEvent = { type: "save-started" };
const saved: SessionEvent = { type: "saved", idea, text: TEXT };
const publishing: SessionEvent = { type: "publish-started" };
const renamed: SessionEvent = { type: "title-changed", title: "Other" };
const sent: SessionEvent = { type: "publish-sent" };

test("a session starts by editing, or at the end when the idea is published", () => {
  expect(initialState(TEXT, null, null)).toMatchObject({ phase: "editing", changes: "none" });
  expect(initialState(TEXT, anIdea(PUBLISHED), null).phase).toBe("published");
});

describe("changes", () => {
  test("typing counts as a change until it is compared", () => {
    expect(apply({ type: "content-changed" })).toMatchObject({ changes: "kept" });
    expect(apply({ type: "content-changed" }, compared(TEXT.html))).toMatchObject({
      changes: "none",
    });
  });

  test.each([
    [true, "kept"],
    [false, "not-kept"],
  ])("a changed text whose draft was written (%s) is %s", (isDraftKept, changes) => {
    expect(apply(compared("<p>Two.</p>", isDraftKept))).toMatchObject({ changes });
  });

  test("a changed title is a change", () => {
    const state = apply(renamed, compared(TEXT.html));
    expect(state).toMatchObject({ title: "Other", changes: "kept" });
  });

  test("typing while a save runs does not decide whether something is unsaved", () => {
    expect(apply(started, { type: "content-changed" })).toMatchObject({ changes: "none" });
  });

  test("uploads leave the idea unsaved until they have ended", () => {
    const running = apply({ type: "uploads-changed", by: 2 }, { type: "uploads-changed", by: -1 });
    expect(viewOf(running)).toMatchObject({ uploads: 1, isDirty: true, isDraftKept: true });
    const ended = reduceSession(running, { type: "uploads-changed", by: -1 });
    expect(viewOf(ended)).toMatchObject({ uploads: 0, isDirty: false });
  });
});

describe("saving", () => {
  test("goes back to editing, with the confirmed text", () => {
    const text = { title: "Two", html: "<p>Two.</p>" };
    const state = apply(started, { type: "saved", idea, text });
    expect(state).toMatchObject({ phase: "editing", confirmed: text, failure: null });
  });

  test("goes back to editing with the failure and the conflict", () => {
    const state = apply(started, { type: "save-failed", failure: FAILURE, conflict });
    expect(state).toMatchObject({ phase: "editing", failure: FAILURE, conflict });
    expect(
      apply(started, { type: "save-failed", failure: FAILURE, conflict }, started),
    ).toMatchObject({ phase: "saving", failure: FAILURE });
  });

  test("closes a conflict", () => {
    const failed: SessionEvent = { type: "save-failed", failure: FAILURE, conflict };
    const again = apply(started, failed, started, saved);
    expect(viewOf(again).conflict).toBeNull();
    expect(viewOf(apply(started, failed, { type: "conflict-closed" })).conflict).toBeNull();
  });

  test("needs a title, until one is typed", () => {
    const missing = apply({ type: "title-missing" });
    expect(missing.titleError).toBe(messages.titleRequired);
    expect(reduceSession(missing, { type: "title-changed", title: "T" }).titleError).toBeNull();
  });
});

describe("publishing", () => {
  test.each<[string, SessionEvent[], object]>([
    ["prepares", [publishing], { step: "preparing" }],
    ["waits for a save that runs", [started, publishing], { step: "saving" }],
    ["saves", [publishing, started], { step: "saving" }],
    ["goes on after the save", [publishing, started, saved], { step: "preparing" }],
    ["sends", [publishing, started, saved, sent], { step: "sent" }],
  ])("%s", (_, events, expected) => {
    expect(apply(...events)).toMatchObject({ phase: "publishing", ...expected });
  });

  test("locks the idea only while the request runs", () => {
    expect(viewOf(apply(publishing))).toMatchObject({ isPublishing: true, isLocked: false });
    expect(viewOf(apply(publishing, sent))).toMatchObject({ isPublishing: true, isLocked: true });
  });

  test("nothing but its end changes an idea whose request to publish runs", () => {
    const running = apply(publishing, sent);
    const failed: SessionEvent = { type: "save-failed", failure: FAILURE, conflict: null };
    for (const event of [started, saved, failed, renamed]) {
      expect(reduceSession(running, event)).toBe(running);
    }
  });

  test.each<[string, SessionEvent[], SessionState["phase"]]>([
    ["published", [publishing, sent, { type: "published", idea }], "published"],
    ["editing", [publishing, { type: "publish-abandoned" }], "editing"],
    ["saving, which still runs", [started, publishing, { type: "publish-abandoned" }], "saving"],
    [
      "editing, when a save fails",
      [publishing, started, { type: "save-failed", failure: FAILURE, conflict: null }],
      "editing",
    ],
    [
      "editing, when it fails",
      [publishing, sent, { type: "publish-failed", failure: FAILURE, conflict }],
      "editing",
    ],
  ])("ends in %s", (_, events, phase) => {
    expect(apply(...events).phase).toBe(phase);
  });

  test("nothing leads back from published", () => {
    const published = apply(publishing, sent, { type: "published", idea });
    for (const event of [started, saved, publishing, sent, compared("<p>Two.</p>"), renamed]) {
      expect(reduceSession(published, event)).toBe(published);
    }
  });
});

describe("saving as a new idea", () => {
  test("confirms the text that was saved", () => {
    const text = { title: "Copy", html: "<p>Copy.</p>" };
    const state = apply({ type: "copy-started" }, { type: "copied", text });
    expect(state).toMatchObject({ isCopying: false, confirmed: text });
  });

  test("leaves the text alone when a draft was saved", () => {
    const state = apply({ type: "copy-started" }, { type: "copied", text: null });
    expect(state).toMatchObject({ isCopying: false, confirmed: TEXT });
  });

  test("can run beside a save", () => {
    const state = apply(started, { type: "copy-started" }, saved);
    expect(state).toMatchObject({ phase: "editing", isCopying: true });
    const failed = reduceSession(state, { type: "copy-failed", failure: FAILURE });
    expect(failed).toMatchObject({ isCopying: false, failure: FAILURE });
  });
});

test.each<[Failure["action"], SessionEvent[]]>([
  ["save", [started, { type: "save-failed", failure: FAILURE, conflict: null }]],
  ["publish", [publishing, started, { type: "save-failed", failure: FAILURE, conflict: null }]],
  ["publish", [publishing, sent, { type: "publish-failed", failure: FAILURE, conflict: null }]],
  ["copy", [{ type: "copy-started" }, { type: "copy-failed", failure: FAILURE }]],
])("a failure names what can be retried: %s", (action, events) => {
  expect(apply(...events).failure).toEqual({ ...FAILURE, action });
});
