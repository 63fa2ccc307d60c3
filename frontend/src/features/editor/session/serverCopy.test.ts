import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RETRY_AFTER_MS, SEND_AFTER_MS, ServerCopy, type UnsavedCopy } from "./serverCopy";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Starts a copy whose calls a test answers itself. */
function start() {
  const sent: string[] = [];
  const answers: ((isSettled: boolean) => void)[] = [];
  const call = (text: string) => {
    sent.push(text);
    return new Promise<boolean>((resolve) => answers.push(resolve));
  };
  const copy = new ServerCopy({
    load: async () => null,
    keep: (id, { content }) => call(`keep ${id} ${content}`),
    discard: (id, session) => call(`discard ${id} ${session}`),
  });
  const answer = async (isSettled = true) => {
    answers.shift()?.(isSettled);
    await vi.advanceTimersByTimeAsync(0);
  };
  const wait = (ms = SEND_AFTER_MS) => vi.advanceTimersByTimeAsync(ms);
  return { copy, sent, answer, wait };
}

const text = (content: string, ideaId: number | null = 7, session = "a"): UnsavedCopy => ({
  ideaId,
  body: { title: "Kettle", content, baseRevision: 1, session },
});

test("a text is sent a while after typing began, and once", async () => {
  const { copy, sent, answer, wait } = start();
  copy.want(text("One"));
  await wait(SEND_AFTER_MS - 1);
  copy.want(text("Two"));
  expect(sent).toEqual([]);
  await wait(1);
  expect(sent).toEqual(["keep 7 Two"]);
  await answer();
  copy.want(text("Two"));
  await wait();
  copy.flush();
  expect(sent).toHaveLength(1);
});

test("what is typed during a call follows after the same while", async () => {
  const { copy, sent, answer, wait } = start();
  copy.want(text("One"));
  await wait();
  copy.want(text("Two"));
  await answer();
  expect(sent).toEqual(["keep 7 One"]);
  await wait();
  expect(sent).toEqual(["keep 7 One", "keep 7 Two"]);
});

test("what was sent is discarded, after the call that sends it", async () => {
  const { copy, sent, answer } = start();
  copy.want(text("One"));
  copy.flush();
  copy.want(null);
  expect(sent).toEqual(["keep 7 One"]);
  await answer();
  expect(sent).toEqual(["keep 7 One", "discard 7 a"]);
  await answer();
  copy.want(null);
  copy.flush();
  expect(sent).toHaveLength(2);
});

test("what was never sent is not discarded", async () => {
  const { copy, sent, wait } = start();
  copy.want(text("One"));
  copy.want(null);
  await wait();
  expect(sent).toEqual([]);
});

test("a call that failed is tried again, and what it may have stored is discarded", async () => {
  const { copy, sent, answer, wait } = start();
  copy.want(text("One"));
  copy.flush();
  await answer(false);
  await wait(RETRY_AFTER_MS);
  expect(sent).toEqual(["keep 7 One", "keep 7 One"]);
  await answer(false);
  copy.want(null);
  expect(sent.at(-1)).toBe("discard 7 a");
  await answer(false);
  await wait(RETRY_AFTER_MS);
  await answer();
  expect(sent.slice(3)).toEqual(["discard 7 a"]);
  copy.flush();
  expect(sent).toHaveLength(4);
});

test("after the end, what fails is not sent again, and what is discarded stays so", async () => {
  const { copy, sent, answer, wait } = start();
  copy.want(text("One"));
  copy.discard(7, "other");
  copy.end();
  await answer();
  expect(sent).toEqual(["discard 7 other", "keep 7 One"]);
  await answer(false);
  copy.discard(7, "a");
  await answer(false);
  await wait(RETRY_AFTER_MS);
  expect(sent.slice(2)).toEqual(["discard 7 a", "discard 7 a"]);
});

test("the text of a session that was set aside stays", async () => {
  const { copy, sent, answer } = start();
  copy.want(text("One"));
  copy.flush();
  await answer();
  copy.want(text("Two", 7, "b"));
  copy.flush();
  await answer();
  expect(sent).toEqual(["keep 7 One", "keep 7 Two"]);
});

test("the text of an idea that was created leaves its first place", async () => {
  const { copy, sent, answer } = start();
  copy.want(text("One", null));
  copy.flush();
  await answer();
  copy.want(text("Two", 7));
  copy.flush();
  await answer();
  expect(sent).toEqual(["keep null One", "discard null a", "keep 7 Two"]);
});
