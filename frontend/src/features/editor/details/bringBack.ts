import { createContext, useContext } from "react";

/** Puts an earlier title and text into the editor and saves them. */
export type BringBack = (title: string, html: string) => void;

/** Null where nothing can be brought back: a published idea, or one that is no text. */
export const BringBackSlot = createContext<BringBack | null>(null);

export const useBringBack = (): BringBack | null => useContext(BringBackSlot);
