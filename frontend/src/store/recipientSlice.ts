import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { Recipient } from "@/api/generated";
import { lookupSucceeded } from "./visitSlice";

interface RecipientState {
  recipient: Recipient | null;
}

/**
 * The recipient; initially null. A copy for display: the server identifies recipients by cookie,
 * and each look-up of the link updates this copy, also after a page reload.
 */
export const recipientSlice = createSlice({
  name: "recipient",
  initialState: (): RecipientState => ({ recipient: null }),
  reducers: {
    recipientStored: (state, action: PayloadAction<Recipient>) => {
      state.recipient = action.payload;
    },
    recipientCleared: (state) => {
      state.recipient = null;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(lookupSucceeded, (state, action) => {
      state.recipient = action.payload.shared.recipient;
    });
  },
  selectors: { selectRecipient: (state) => state.recipient },
});

export const { recipientStored, recipientCleared } = recipientSlice.actions;
export const { selectRecipient } = recipientSlice.selectors;
