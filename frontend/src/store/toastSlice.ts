import { createSlice, nanoid, type PayloadAction } from "@reduxjs/toolkit";

/** One message of docs/rules.md#ui-messages. */
interface ToastMessage {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
}

interface ToastState {
  current: (ToastMessage & { id: string }) | null;
}

/** At most one toast is shown (docs/rules.md#ui-constants): a new one replaces it. */
export const toastSlice = createSlice({
  name: "toast",
  initialState: (): ToastState => ({ current: null }),
  reducers: {
    toastShown: {
      prepare: (message: ToastMessage) => ({ payload: { ...message, id: nanoid() } }),
      reducer: (state, action: PayloadAction<ToastMessage & { id: string }>) => {
        state.current = action.payload;
      },
    },
    toastDismissed: (state, action: PayloadAction<string>) => {
      if (state.current?.id === action.payload) state.current = null;
    },
  },
  selectors: { selectToast: (state) => state.current },
});

export const { toastShown, toastDismissed } = toastSlice.actions;
export const { selectToast } = toastSlice.selectors;

/** Builds a failure toast: title 'Error', destructive. Close any open dialog first. */
export const errorToast = (description: string) =>
  toastShown({ title: "Error", description, variant: "destructive" });

/** Builds a success toast. */
export const successToast = (description: string) => toastShown({ title: "Success", description });
