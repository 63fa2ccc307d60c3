/** Editing sessions without a screen, for tests that resolve each call themselves. */
import { waitFor } from "@testing-library/react";
import { expect, onTestFinished } from "vitest";
import type { Idea, WorkingCopy } from "@/api/generated";
import { anIdea, aUser } from "@/testing/fixtures";
import type { CallResult, SessionCalls } from "./calls";
import type { DocumentAdapter } from "./documentAdapter";
import { DocumentSession } from "./documentSession";
import type { CopyCalls } from "./serverCopy";

/** Result of a call when the server is down. */
export const DOWN: CallResult = {
  error: { status: 503, message: "503: Down.", detail: "Down.", field: null },
};

/** Adapter that a test types into. A locked one refuses changes, like the editor's. */
export class TestAdapter implements DocumentAdapter {
  isLocked = false;
  #html: string;
  readonly #listeners = new Set<() => void>();

  constructor(html: string) {
    this.#html = html;
  }

  /** Types, unless the adapter is locked. */
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

/** Starts a session on an idea, with a copy on the server, and records its calls in order. */
export function startSession(idea: Idea | null = anIdea(), waitingCopy: WorkingCopy | null = null) {
  const adapter = new TestAdapter(typeof idea?.content === "string" ? idea.content : "");
  const sentCalls: {
    name: keyof SessionCalls;
    args: unknown[];
    respond: (result: CallResult) => void;
  }[] = [];
  const deferred =
    (name: keyof SessionCalls) =>
    (...args: unknown[]) =>
      new Promise<CallResult>((respond) => {
        sentCalls.push({ name, args, respond });
      });
  const calls: SessionCalls = {
    create: deferred("create"),
    update: deferred("update"),
    load: deferred("load"),
    publish: deferred("publish"),
  };
  const sentCopies: [name: string, ...unknown[]][] = [];
  const copyCalls: CopyCalls = {
    load: async () => waitingCopy,
    keep: async (...args) => sentCopies.push(["keep", ...args]) > 0,
    discard: async (...args) => sentCopies.push(["discard", ...args]) > 0,
  };
  const session = new DocumentSession({ adapter, calls, copyCalls, userId: aUser().id, idea });
  // Otherwise a timer of this session would write a draft in the next test.
  onTestFinished(session.connect());
  return {
    session,
    adapter,
    sentCalls,
    sentCopies,
    /** Waits for the call after the first `count`. */
    nthCall: async (count: number) => {
      await waitFor(() => expect(sentCalls.length).toBeGreaterThanOrEqual(count));
      const call = sentCalls[count - 1];
      if (call === undefined) throw new Error("no such call");
      return call;
    },
  };
}
