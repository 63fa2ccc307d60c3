import { expect, test } from "vitest";
import { answersOf, chatMessage, limitReached, MAX_BYTES, MAX_MESSAGES } from "./conversation";

const messages = (count: number, content = "x") =>
  Array.from({ length: count }, () => chatMessage("user", content));

test("40 messages fit, the new one included", () => {
  expect(limitReached(messages(MAX_MESSAGES - 1), "x")).toBeNull();
  expect(limitReached(messages(MAX_MESSAGES), "x")).toMatch(/40 messages/);
});

test("64 KiB fit, counted as bytes", () => {
  expect(limitReached([], "ä".repeat(MAX_BYTES / 2))).toBeNull();
  expect(limitReached(messages(1), "ä".repeat(MAX_BYTES / 2))).toMatch(/64 KiB/);
});

test("only the assistant's words are copied", () => {
  const chat = [chatMessage("user", "a"), chatMessage("assistant", "b")];
  expect(answersOf([...chat, ...chat])).toBe("b\n\nb");
});
