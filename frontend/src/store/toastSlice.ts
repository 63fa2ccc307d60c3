import type { Action } from "redux";
import { defineAction } from "./action";

/** One message of docs/rules.md#ui-messages. */
interface ToastMessage {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
}

interface ToastState {
  current: (ToastMessage & { id: string }) | null;
}

export const toastDismissed = defineAction<string>("toast/dismissed");
const shown = defineAction<ToastMessage & { id: string }>("toast/shown");

let shownCount = 0;

/** Shows a toast. */
export function toastShown(message: ToastMessage) {
  shownCount += 1;
  return shown({ ...message, id: String(shownCount) });
}

/** At most one toast is shown (docs/rules.md#ui-constants): a new one replaces it. */
export function toastReducer(state: ToastState = { current: null }, action: Action): ToastState {
  if (shown.match(action)) return { current: action.payload };
  if (toastDismissed.match(action) && state.current?.id === action.payload) {
    return { current: null };
  }
  return state;
}

export const selectToast = ({ toast }: { toast: ToastState }) => toast.current;

/** Builds a failure toast: title 'Error', destructive. Close any open dialog first. */
export const errorToast = (description: string) =>
  toastShown({ title: "Error", description, variant: "destructive" });

/** Builds a success toast. */
export const successToast = (description: string) => toastShown({ title: "Success", description });
