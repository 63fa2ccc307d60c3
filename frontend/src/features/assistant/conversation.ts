import { nanoid } from "@reduxjs/toolkit";

/** One message of a chat, which is kept in this window only. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** RFC 3339. */
  readonly timestamp: string;
}

/**
 * The server's limits on a conversation, including the message to send (docs/rules.md#assistant).
 */
export const MAX_MESSAGES = 40;
export const MAX_BYTES = 64 * 1024;

const encoder = new TextEncoder();

/** Creates a message with the current time. */
export const chatMessage = (role: ChatMessage["role"], content: string): ChatMessage => ({
  id: nanoid(),
  role,
  content,
  timestamp: new Date().toISOString(),
});

/** Returns why the server would refuse this message after that history, or null. */
export function limitReached(history: readonly ChatMessage[], message: string): string | null {
  if (history.length + 1 > MAX_MESSAGES) {
    return `This conversation has reached ${MAX_MESSAGES} messages. Close it and start a new one.`;
  }
  const bytes = [...history.map(({ content }) => content), message]
    .map((text) => encoder.encode(text).length)
    .reduce((sum, length) => sum + length, 0);
  if (bytes > MAX_BYTES) {
    return `This conversation would be longer than ${MAX_BYTES / 1024} KiB. Shorten your message, or close it and start a new one.`;
  }
  return null;
}

/** Returns the number of messages left in the conversation. */
export const messagesLeft = (history: readonly ChatMessage[]): number =>
  Math.max(MAX_MESSAGES - history.length, 0);

/**
 * Builds the message as sent, with the text of the idea if its author has consented. Later requests
 * repeat the message without that text.
 */
export const withIdea = (message: string, ideaText: string | null): string =>
  ideaText === null ? message : `${message}\n\nThis is my idea as it stands:\n\n${ideaText}`;

/** Joins all responses of the assistant, for the clipboard. */
export const answersOf = (history: readonly ChatMessage[]): string =>
  history
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("\n\n");
