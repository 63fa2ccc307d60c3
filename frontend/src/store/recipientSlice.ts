import type { Action } from "redux";
import type { Recipient } from "@/api/generated";
import { defineAction } from "./action";
import { lookupSucceeded } from "./visitSlice";

interface RecipientState {
  recipient: Recipient | null;
}

export const recipientStored = defineAction<Recipient>("recipient/stored");
export const recipientCleared = defineAction("recipient/cleared");

/**
 * The recipient; initially null. A copy for display: the server identifies recipients by cookie,
 * and each look-up of the link updates this copy, also after a page reload.
 */
export function recipientReducer(
  state: RecipientState = { recipient: null },
  action: Action,
): RecipientState {
  if (recipientStored.match(action)) return { recipient: action.payload };
  if (lookupSucceeded.match(action)) return { recipient: action.payload.shared.recipient };
  return recipientCleared.match(action) ? { recipient: null } : state;
}

export const selectRecipient = ({ recipient }: { recipient: RecipientState }) =>
  recipient.recipient;
