/** Editing sessions without a screen, whose calls are answered by hand. */
import { waitFor } from "@testing-library/react";
import { expect, onTestFinished } from "vitest";
import type { Idea } from "@/api/generated";
import { anIdea, aUser } from "@/testing/fixtures";
import type { CallResult, SessionCalls } from "./calls";
import { DocumentSession } from "./documentSession";
import type { Surface } from "./surface";

/** What a server that is down makes of a call. */
export const DOWN: CallResult = {
  error: { status: 503, message: "503: Down.", detail: "Down.", field: null },
};

/** A surface that a test writes on. A locked one takes nothing, like the editor's. */
export class TestSurface implements Surface {
  isLocked = false;
  #html: string;
  readonly #listeners = new Set<() => void>();

  constructor(html: string) {
    this.#html = html;
  }

  /** Types, unless that is not possible now. */
  write(html: string): void {
    if (this.isLocked) return;
    this.replace(html);
  }

  text = () => this.#html;
  content = (html: string) => html;
  replace = (html: string) => {
    this.#html = html;
    for (const listener of this.#listeners) listener();
  };
  lock = () => {
    this.isLocked = true;
  };
  unlock = () => {
    this.isLocked = false;
  };
  onChange = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** A session on an idea, and the calls that it makes, in their order. */
export function startSession(idea: Idea | null = anIdea()) {
  const surface = new TestSurface(typeof idea?.content === "string" ? idea.content : "");
  const made: { name: keyof SessionCalls; args: unknown[]; answer: (with_: CallResult) => void }[] =
    [];
  const held =
    (name: keyof SessionCalls) =>
    (...args: unknown[]) =>
      new Promise<CallResult>((answer) => {
        made.push({ name, args, answer });
      });
  const calls: SessionCalls = {
    create: held("create"),
    update: held("update"),
    load: held("load"),
    publish: held("publish"),
  };
  const session = new DocumentSession({ surface, calls, userId: aUser().id, idea });
  // Or a timer of this session would keep a draft in the next test.
  onTestFinished(session.connect());
  return {
    session,
    surface,
    made,
    /** The call that the session makes next after so many. */
    nth: async (count: number) => {
      await waitFor(() => expect(made.length).toBeGreaterThanOrEqual(count));
      const call = made[count - 1];
      if (call === undefined) throw new Error("no such call");
      return call;
    },
  };
}
