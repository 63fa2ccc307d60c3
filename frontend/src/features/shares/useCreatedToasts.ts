import { useEffect, useRef } from "react";
import { useStore } from "react-redux";
import { useAppDispatch } from "@/app/hooks";
import { selectToast, successToast, toastShown } from "@/ui/toast/toastSlice";
import { messages } from "./messages";

/** Long enough to read the first of the two toasts. */
const SECOND_TOAST_MS = 2000;

/**
 * 'Share link created successfully!', then 'Share Link Ready' (spec section 8). Only one toast shows
 * at a time, so the second waits, and stays away if something else was said meanwhile. An invitation
 * has one of its own.
 */
export function useCreatedToasts(): (isInvitation: boolean) => void {
  const dispatch = useAppDispatch();
  const store = useStore<Parameters<typeof selectToast>[0]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  return (isInvitation) => {
    // Nobody has to send that link on: it is on its way already.
    if (isInvitation) {
      clearTimeout(timer.current);
      dispatch(successToast(messages.invited));
      return;
    }
    const { payload } = dispatch(successToast(messages.created));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const current = selectToast(store.getState());
      if (!current || current.id === payload.id) dispatch(toastShown(messages.ready));
    }, SECOND_TOAST_MS);
  };
}
