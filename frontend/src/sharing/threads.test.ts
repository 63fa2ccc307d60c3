import { expect, test } from "vitest";
import { aComment } from "@/testing/fixtures";
import { earlierThreads, isEditable, partsOf, threadsOf } from "./threads";

test("replies are listed below their comment", () => {
  const first = aComment({ id: "a" });
  const second = aComment({ id: "b" });
  const answer = aComment({ id: "c", replyTo: "a" });
  const stray = aComment({ id: "d", replyTo: "gone" });
  expect(threadsOf([first, second, answer, stray])).toEqual([
    { first, answers: [answer] },
    { first: second, answers: [] },
    { first: stray, answers: [] },
  ]);
});

test("threads without one of the latest twenty comments are earlier ones", () => {
  const comments = Array.from({ length: 25 }, (_, index) => aComment({ id: `c${index}` }));
  const earlier = (list: typeof comments) => earlierThreads(threadsOf(list), list);
  expect(earlier([])).toBe(0);
  expect(earlier(comments.slice(0, 20))).toBe(0);
  expect(earlier(comments)).toBe(5);
  expect(earlier([...comments, aComment({ id: "answer", replyTo: "c2" })])).toBe(2);
});

test("a comment can be edited for ten minutes, unless it was withdrawn", () => {
  const comment = aComment({ createdAt: "2026-11-20T11:00:00.000000Z" });
  const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
  expect(isEditable(comment, at("11:09:59"))).toBe(true);
  expect(isEditable(comment, at("11:10:00"))).toBe(false);
  const withdrawn = { ...comment, withdrawnAt: "2026-11-20T11:01:00.000000Z" };
  expect(isEditable(withdrawn, at("11:02:00"))).toBe(false);
});

const linksIn = (text: string) =>
  partsOf(text).flatMap(({ address }) => (address === null ? [] : [address]));

test.each([
  ["See https://example.org/a?b=c#d.", ["https://example.org/a?b=c#d"]],
  ["(http://example.org)", ["http://example.org"]],
  ["https://en.wikipedia.org/wiki/Wick_(candle)", ["https://en.wikipedia.org/wiki/Wick_(candle)"]],
  ["https://a.example, https://b.example!", ["https://a.example", "https://b.example"]],
  ["HTTPS://EXAMPLE.ORG", ["HTTPS://EXAMPLE.ORG"]],
  ["<a href='https://example.org'>x</a>", ["https://example.org"]],
  ["javascript:alert(1) data:text/html,x ftp://example.org www.example.org", []],
  ["https://bank.example@evil.example/", []],
  ["https:// http://", []],
])("finds the web addresses in %s", (text, expected) => {
  expect(linksIn(text)).toEqual(expected);
  expect(
    partsOf(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
