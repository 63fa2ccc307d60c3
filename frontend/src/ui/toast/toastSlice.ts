import { createSlice, nanoid, type PayloadAction } from "@reduxjs/toolkit";

/** One message of the catalogue in spec section 8. */
export interface ToastMessage {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
}

interface ToastState {
  current: (ToastMessage & { id: string }) | null;
}

/** At most one toast is shown (spec section 9): a new one replaces the one on screen. */
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

/** A failure of the catalogue: title 'Error', destructive. Close any open dialog first. */
export const errorToast = (description: string) =>
  toastShown({ title: "Error", description, variant: "destructive" });

/** A success of the catalogue that has one text. */
export const successToast = (description: string) => toastShown({ title: "Success", description });
