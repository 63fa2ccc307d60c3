import { nanoid } from "@reduxjs/toolkit";

/** One message of a chat (spec section 3); it exists in this window only. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** RFC 3339. */
  readonly timestamp: string;
}

/** The server's limits on a conversation, the message to send included. */
export const MOST_MESSAGES = 40;
export const MOST_BYTES = 64 * 1024;

const encoder = new TextEncoder();

/** A message written now. */
export const chatMessage = (role: ChatMessage["role"], content: string): ChatMessage => ({
  id: nanoid(),
  role,
  content,
  timestamp: new Date().toISOString(),
});

/** Why the server would refuse this message after that history, or null. */
export function limitReached(history: readonly ChatMessage[], message: string): string | null {
  if (history.length + 1 > MOST_MESSAGES) {
    return `This conversation has reached ${MOST_MESSAGES} messages. Close it and start a new one.`;
  }
  const bytes = [...history.map(({ content }) => content), message]
    .map((text) => encoder.encode(text).length)
    .reduce((sum, length) => sum + length, 0);
  if (bytes > MOST_BYTES) {
    return `This conversation would be longer than ${MOST_BYTES / 1024} KiB. Shorten your message, or close it and start a new one.`;
  }
  return null;
}

/** How many messages the conversation still takes. */
export const messagesLeft = (history: readonly ChatMessage[]): number =>
  Math.max(MOST_MESSAGES - history.length, 0);

/**
 * The message as it is sent: with the text of the idea, when its writer has agreed to that. What is
 * sent again with later messages is the message alone.
 */
export const withIdea = (message: string, ideaText: string | null): string =>
  ideaText === null ? message : `${message}\n\nThis is my idea as it stands:\n\n${ideaText}`;

/** Everything the assistant wrote, for the clipboard. */
export const answersOf = (history: readonly ChatMessage[]): string =>
  history
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("\n\n");
