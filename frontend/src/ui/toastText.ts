import { createContext, useContext } from "react";

/** The text of the toast that is shown. */
export const ToastTextContext = createContext<string | undefined>(undefined);

/**
 * Returns the style of a message at a form: it keeps its place, but is not shown while a toast says
 * the same.
 */
export const useHiddenInToast = (message: unknown): string | undefined =>
  useContext(ToastTextContext) === message && message !== undefined ? "invisible" : undefined;
