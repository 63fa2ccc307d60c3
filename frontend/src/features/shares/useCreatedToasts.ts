import { useEffect, useRef } from "react";
import { useStore } from "react-redux";
import { useAppDispatch } from "@/store/hooks";
import { selectToast, successToast, toastShown } from "@/store/toastSlice";
import { messages } from "./messages";

/** Delay of the second toast in milliseconds, to let the first one be read. */
const SECOND_TOAST_MS = 2000;

/**
 * 'Share link created successfully!', then 'Share Link Ready' (docs/rules.md#ui-sharing). Only one
 * toast is shown at a time, so the second is delayed, and dropped if another toast comes first. An
 * invitation has a single toast.
 */
export function useCreatedToasts(): (isInvitation: boolean) => void {
  const dispatch = useAppDispatch();
  const store = useStore<Parameters<typeof selectToast>[0]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  return (isInvitation) => {
    // An invitation was sent already, so there is no link to pass on.
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
