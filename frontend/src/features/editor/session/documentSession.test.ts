import { describe, expect, it, vi } from "vitest";
import { anIdea, aUser } from "@/testing/fixtures";
import { messages } from "../messages";
import { PUBLISHED } from "../testPage";
import type { CallResult } from "./calls";
import { draftKey, readDrafts, writeDraft } from "./drafts";
import { DOWN, startSession } from "./testSession";

const ONE = "<p>One.</p>";
const TWO = "<p>One. Two.</p>";

describe("saving during a save", () => {
  it("sends what was typed since that began", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    adapter.write(ONE);
    const first = session.save();
    adapter.write(TWO);
    const second = session.save();
    (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
    (await nthCall(2)).respond({ idea: anIdea({ content: TWO, revision: 3 }) });
    expect(await first).toMatchObject({ revision: 2 });
    expect(await second).toMatchObject({ revision: 3 });
    expect(sentCalls.map(({ args }) => args)).toMatchObject([
      [7, { content: ONE, baseRevision: 1 }],
      [7, { content: TWO, baseRevision: 2 }],
    ]);
    expect(session.getView()).toMatchObject({ status: "saved", isDirty: false });
  });

  it("does not send the same text twice", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    adapter.write(ONE);
    const saves = [session.save(), session.save()];
    (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
    expect(await Promise.all(saves)).toMatchObject([{ revision: 2 }, { revision: 2 }]);
    expect(sentCalls).toHaveLength(1);
  });
});

describe("replacing unsaved text", () => {
  const KEY = draftKey(aUser().id, 7);
  const draft = { session: "s", title: "Draft", html: TWO, savedAt: 1, baseRevision: 1 };
  const typed = { title: "Typed", html: ONE };

  function typeOver(app = startSession()) {
    app.session.setTitle(typed.title);
    app.adapter.write(typed.html);
    return app;
  }

  const shown = ({ session, adapter }: ReturnType<typeof startSession>) => ({
    title: session.getView().title,
    html: adapter.text(),
  });

  it("by a draft keeps it as one more draft, with its title", () => {
    writeDraft(KEY, draft);
    const app = typeOver();
    app.session.restore();
    expect(shown(app)).toEqual({ title: "Draft", html: TWO });
    expect(app.session.getView().offer).toMatchObject(typed);
    expect(readDrafts(KEY).map(({ title }) => title)).toEqual(
      expect.arrayContaining(["Draft", "Typed"]),
    );
    app.session.restore();
    expect(shown(app)).toEqual(typed);
    expect(app.session.getView().offer).toMatchObject({ title: "Draft", html: TWO });
    expect(readDrafts(KEY)).toHaveLength(2);
  });

  it("by an earlier revision keeps it as a draft", () => {
    const app = typeOver();
    app.session.restoreRevision("Earlier", TWO);
    expect(shown(app)).toEqual({ title: "Earlier", html: TWO });
    expect(app.session.getView().offer).toMatchObject(typed);
  });

  it("keeps nothing that the server has", () => {
    writeDraft(KEY, draft);
    const { session } = startSession();
    session.restore();
    expect(session.getView().offer).toBeNull();
    expect(readDrafts(KEY)).toMatchObject([{ title: "Draft" }]);
  });

  it("no longer offers it once the server has it", async () => {
    writeDraft(KEY, draft);
    const app = typeOver();
    app.session.restore();
    typeOver(app);
    const save = app.session.save();
    (await app.nthCall(1)).respond({
      idea: anIdea({ title: typed.title, content: ONE, revision: 2 }),
    });
    await save;
    expect(app.session.getView().offer).toBeNull();
    expect(readDrafts(KEY)).toEqual([]);
  });

  it("offers it even if the browser cannot keep it", () => {
    writeDraft(KEY, draft);
    const app = typeOver();
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    app.session.restore();
    full.mockRestore();
    app.session.restore();
    expect(shown(app)).toEqual(typed);
  });

  it("keeps that of an idea created since beside that idea, and removes it from there", async () => {
    writeDraft(draftKey(aUser().id, null), draft);
    const app = startSession(null);
    const save = app.session.save();
    (await app.nthCall(1)).respond({ idea: anIdea({ title: messages.defaultTitle, content: "" }) });
    await save;
    typeOver(app).session.restore();
    expect(readDrafts(draftKey(aUser().id, null))).toEqual([]);
    expect(readDrafts(KEY)).toHaveLength(2);
    app.session.discard();
    expect(app.session.getView().offer).toBeNull();
    expect(readDrafts(KEY)).toMatchObject([{ title: "Draft" }]);
  });
});

describe("restoring a draft", () => {
  it("waits for a running save, so that an older draft still conflicts with newer revisions", async () => {
    const draft = { session: "s", title: "Draft", html: TWO, savedAt: 1, baseRevision: 3 };
    writeDraft(draftKey(aUser().id, 7), draft);
    const { session, adapter, sentCalls, nthCall } = startSession(anIdea({ revision: 5 }));
    adapter.write(ONE);
    const save = session.save();
    session.restore();
    expect(adapter.text()).toBe(ONE);
    expect(session.getView().offer).toEqual(draft);
    (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 6 }) });
    await save;
    session.restore();
    expect(adapter.text()).toBe(TWO);
    void session.save();
    expect(sentCalls[1]?.args).toMatchObject([7, { content: TWO, baseRevision: 3 }]);
  });
});

describe("creating an idea whose answer is lost", () => {
  const LOST: CallResult = {
    error: { status: 0, message: "0: offline", detail: null, field: null },
  };

  async function lost() {
    const app = startSession(null);
    app.adapter.write(ONE);
    const save = app.session.save();
    (await app.nthCall(1)).respond(LOST);
    expect(await save).toBeNull();
    return { ...app, keyOf: (call: number) => app.sentCalls[call - 1]?.args[1] };
  }

  it("asks again with the same key", async () => {
    const { session, sentCalls, nthCall, keyOf } = await lost();
    const save = session.save();
    const title = messages.defaultTitle;
    (await nthCall(2)).respond({ idea: anIdea({ title, content: ONE, revision: 1 }) });
    expect(await save).toMatchObject({ revision: 1 });
    expect(sentCalls.map(({ name }) => name)).toEqual(["create", "create"]);
    expect(keyOf(1)).toMatch(/^[\w-]{21}$/);
    expect(keyOf(2)).toBe(keyOf(1));
    expect(session.getView()).toMatchObject({ status: "saved", isDirty: false });
  });

  it("saves what was typed since over what had arrived", async () => {
    const { session, adapter, sentCalls, nthCall } = await lost();
    adapter.write(TWO);
    const save = session.save();
    (await nthCall(2)).respond({ idea: anIdea({ content: ONE, revision: 1 }) });
    (await nthCall(3)).respond({ idea: anIdea({ content: TWO, revision: 2 }) });
    expect(await save).toMatchObject({ revision: 2 });
    expect(sentCalls[2]).toMatchObject({
      name: "update",
      args: [7, { content: TWO, baseRevision: 1 }],
    });
    expect(session.getView()).toMatchObject({ status: "saved", isDirty: false });
  });

  it("overwrites nothing that was saved elsewhere meanwhile", async () => {
    const { session, adapter, sentCalls, nthCall } = await lost();
    adapter.write(TWO);
    const save = session.save();
    const other = anIdea({ content: "<p>Elsewhere.</p>", revision: 2 });
    (await nthCall(2)).respond({ idea: other });
    (await nthCall(3)).respond({
      error: { status: 409, message: "409: Newer.", detail: "Newer.", field: null },
    });
    (await nthCall(4)).respond({ idea: other });
    expect(await save).toBeNull();
    expect(sentCalls[2]?.args).toMatchObject([7, { baseRevision: 1 }]);
    expect(session.getView()).toMatchObject({ conflict: { mine: { content: TWO }, other } });
  });

  it("begins anew when what had arrived was deleted", async () => {
    const { session, nthCall, keyOf } = await lost();
    const again = session.save();
    (await nthCall(2)).respond({
      error: { status: 404, message: "404: Gone.", detail: "Gone.", field: null },
    });
    expect(await again).toBeNull();
    const anew = session.save();
    (await nthCall(3)).respond({ idea: anIdea({ id: 8, content: ONE, revision: 1 }) });
    expect(await anew).toMatchObject({ id: 8 });
    expect(keyOf(3)).not.toBe(keyOf(1));
  });
});

describe("saving after saves whose answers are lost", () => {
  const NEWER: CallResult = {
    error: { status: 409, message: "409: Newer.", detail: "Newer.", field: null },
  };
  const THREE = "<p>One. Two. Three.</p>";

  /** Saves texts in turn, with no answer to any of them. */
  async function lose(...texts: string[]) {
    const app = startSession();
    for (const [index, html] of texts.entries()) {
      app.adapter.write(html);
      const save = app.session.save();
      (await app.nthCall(index + 1)).respond(DOWN);
      expect(await save).toBeNull();
    }
    return app;
  }

  it.each([ONE, TWO])("overwrites %s, its own text, without a question", async (stored) => {
    const { session, adapter, sentCalls, nthCall } = await lose(ONE, TWO);
    adapter.write(THREE);
    const save = session.save();
    (await nthCall(3)).respond(NEWER);
    (await nthCall(4)).respond({ idea: anIdea({ content: stored, revision: 2 }) });
    (await nthCall(5)).respond({ idea: anIdea({ content: THREE, revision: 3 }) });
    expect(await save).toMatchObject({ revision: 3 });
    expect(sentCalls[4]?.args).toMatchObject([7, { content: THREE, baseRevision: 2 }]);
  });

  it("still knows its own text when a conflict could not be looked into", async () => {
    const { session, adapter, nthCall } = await lose(ONE);
    adapter.write(TWO);
    const refused = session.save();
    (await nthCall(2)).respond(NEWER);
    (await nthCall(3)).respond(DOWN);
    expect(await refused).toBeNull();
    const save = session.save();
    (await nthCall(4)).respond(NEWER);
    (await nthCall(5)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
    (await nthCall(6)).respond({ idea: anIdea({ content: TWO, revision: 3 }) });
    expect(await save).toMatchObject({ revision: 3 });
  });

  it("asks about a text of somebody else", async () => {
    const { session, nthCall } = await lose(ONE, TWO);
    const save = session.save();
    const other = anIdea({ content: THREE, revision: 2 });
    (await nthCall(3)).respond(NEWER);
    (await nthCall(4)).respond({ idea: other });
    expect(await save).toBeNull();
    expect(session.getView()).toMatchObject({ conflict: { other } });
  });

  it("asks before an older draft overwrites what was made from newer revisions", async () => {
    const draft = { session: "s", title: "Draft", html: TWO, savedAt: 1, baseRevision: 1 };
    writeDraft(draftKey(aUser().id, 7), draft);
    const { session, adapter, nthCall } = startSession(anIdea({ revision: 4 }));
    adapter.write(ONE);
    const lost = session.save();
    (await nthCall(1)).respond(DOWN);
    await lost;
    session.restore();
    const save = session.save();
    const other = anIdea({ content: ONE, revision: 5 });
    (await nthCall(2)).respond(NEWER);
    (await nthCall(3)).respond({ idea: other });
    expect(await save).toBeNull();
    expect(session.getView()).toMatchObject({ conflict: { other } });
  });
});

describe("saving as a new idea", () => {
  const GONE: CallResult = {
    error: { status: 404, message: "404: Gone.", detail: "Gone.", field: null },
  };

  async function gone() {
    const app = startSession();
    app.adapter.write(ONE);
    const save = app.session.save();
    (await app.nthCall(1)).respond(GONE);
    await save;
    return app;
  }

  it("is visible in the state, and leaves what is typed meanwhile unsaved", async () => {
    const { session, adapter, nthCall } = await gone();
    const copy = session.saveAsNew();
    expect(session.getView().isCopying).toBe(true);
    adapter.write(TWO);
    (await nthCall(2)).respond({ idea: anIdea({ id: 8, content: ONE }) });
    expect(await copy).toMatchObject({ id: 8 });
    expect(session.getView()).toMatchObject({ isCopying: false, isDirty: true });
  });

  it("makes no second idea of the same text when an answer is lost", async () => {
    const { session, adapter, sentCalls, nthCall } = await gone();
    const keys = [];
    for (const [call, html] of [ONE, ONE, TWO].entries()) {
      adapter.write(html);
      const copy = session.saveAsNew();
      (await nthCall(call + 2)).respond(DOWN);
      expect(await copy).toBeNull();
      keys.push(sentCalls[call + 1]?.args[1]);
    }
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("needs a title", async () => {
    const { session, sentCalls } = await gone();
    session.setTitle("  ");
    expect(await session.saveAsNew()).toBeNull();
    expect(session.getView().titleError).toBe(messages.titleRequired);
    expect(sentCalls).toHaveLength(1);
  });

  it("removes the draft that it saved, even when another is offered by then", async () => {
    const key = draftKey(aUser().id, 7);
    const draft = { title: " ", html: TWO, baseRevision: 1 };
    for (const session of ["first", "second", "third"]) {
      writeDraft(key, { ...draft, session, savedAt: 3 - session.length });
    }
    const { session, sentCalls, nthCall } = startSession(anIdea(PUBLISHED));
    const offered = session.getView().offer;
    const copy = session.saveAsNew();
    session.discard();
    const next = session.getView().offer;
    (await nthCall(1)).respond({ idea: anIdea({ id: 8, content: TWO }) });
    await copy;
    expect(next).not.toEqual(offered);
    expect(session.getView().offer).toEqual(next);
    expect(readDrafts(key)).toHaveLength(2);
    expect(sentCalls[0]?.args).toMatchObject([
      { title: messages.defaultTitle, content: TWO },
      expect.any(String),
    ]);
  });
});

describe("publishing", () => {
  it("waits until everything is saved that was typed during a save", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    adapter.write(ONE);
    const save = session.save();
    adapter.write(TWO);
    const outcome = session.publish();
    (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
    (await nthCall(2)).respond({ idea: anIdea({ content: TWO, revision: 3 }) });
    (await nthCall(3)).respond({ idea: anIdea({ content: TWO, revision: 3, ...PUBLISHED }) });
    expect(await outcome).toBe("published");
    await save;
    expect(sentCalls.map(({ name, args }) => [name, ...args])).toMatchObject([
      ["update", 7, { content: ONE }],
      ["update", 7, { content: TWO }],
      ["publish", 7, 3],
    ]);
  });

  it("waits for a save of text that was reverted since", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    const saved = adapter.text();
    adapter.write(ONE);
    void session.save();
    adapter.write(saved);
    const outcome = session.publish();
    (await nthCall(1)).respond({ idea: anIdea({ content: ONE, revision: 2 }) });
    (await nthCall(2)).respond({ idea: anIdea({ content: saved, revision: 3 }) });
    (await nthCall(3)).respond({ idea: anIdea({ content: saved, revision: 3, ...PUBLISHED }) });
    expect(await outcome).toBe("published");
    expect(sentCalls.at(-1)).toMatchObject({ name: "publish", args: [7, 3] });
  });

  it("refuses changes while the request runs, and accepts them after a failure", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    const outcome = session.publish();
    const asked = await nthCall(1);
    expect(asked.name).toBe("publish");
    expect(adapter.isLocked).toBe(true);
    expect(session.getView()).toMatchObject({ isLocked: true, isPublishing: true });
    asked.respond(DOWN);
    expect(await outcome).toBe("failed");
    expect(adapter.isLocked).toBe(false);
    expect(session.getView()).toMatchObject({ isLocked: false, isPublishing: false });
    adapter.write(ONE);
    void session.save();
    expect(sentCalls.at(-1)).toMatchObject({ name: "update", args: [7, { content: ONE }] });
  });

  const REFUSED: CallResult = {
    error: { status: 409, message: "409: Published.", detail: "Published.", field: null },
  };

  /** Publishes without an answer, then saves. */
  async function losePublication() {
    const app = startSession();
    const outcome = app.session.publish();
    (await app.nthCall(1)).respond(DOWN);
    expect(await outcome).toBe("failed");
    const save = app.session.save();
    (await app.nthCall(2)).respond(REFUSED);
    return { ...app, save, found: await app.nthCall(3) };
  }

  it("turns out to have succeeded when the idea is published as it is on the screen", async () => {
    const { session, adapter, save, found } = await losePublication();
    const again = session.save();
    found.respond({ idea: anIdea(PUBLISHED) });
    expect(await save).toMatchObject(PUBLISHED);
    expect(await again).toMatchObject(PUBLISHED);
    expect(adapter.isLocked).toBe(true);
    expect(session.isReadOnly).toBe(true);
    expect(session.getView()).toMatchObject({ idea: PUBLISHED, failure: null });
  });

  it("leaves text on the screen that was typed since, and keeps a draft of it", async () => {
    const { session, adapter, save, found } = await losePublication();
    adapter.write(ONE);
    found.respond({ idea: anIdea(PUBLISHED) });
    expect(await save).toBeNull();
    expect(adapter.isLocked).toBe(false);
    expect(session.getView()).toMatchObject({ isDirty: true, failure: { status: 409 } });
    expect(readDrafts(draftKey(aUser().id, 7))).toMatchObject([{ html: ONE }]);
  });

  it("sends nothing more when the save finds the idea published", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    adapter.write(ONE);
    const outcome = session.publish();
    (await nthCall(1)).respond(REFUSED);
    (await nthCall(2)).respond({ idea: anIdea({ content: ONE, ...PUBLISHED }) });
    expect(await outcome).toBe("published");
    expect(sentCalls.map(({ name }) => name)).toEqual(["update", "load"]);
    expect(readDrafts(draftKey(aUser().id, 7))).toEqual([]);
  });

  it("stops where a save fails, with everything typed kept", async () => {
    const { session, adapter, sentCalls, nthCall } = startSession();
    adapter.write(ONE);
    const outcome = session.publish();
    adapter.write(TWO);
    (await nthCall(1)).respond(DOWN);
    expect(await outcome).toBe("not-saved");
    expect(sentCalls).toHaveLength(1);
    expect(adapter.text()).toBe(TWO);
    expect(session.getView()).toMatchObject({ isLocked: false, isDirty: true });
  });
});
