/**
 * The browser's storage. People may block it together with cookies: each access throws then, and a
 * full one throws when it is written. Nothing here does: a page goes without what it cannot keep.
 */

type Area = "localStorage" | "sessionStorage";

/** Returns what is stored; null also where storage is blocked. */
export const readStored = (area: Area, key: string): string | null =>
  attempt(() => window[area].getItem(key)) ?? null;

/** Stores a value; returns whether it is kept. */
export const store = (area: Area, key: string, value: string): boolean =>
  attempt(() => {
    window[area].setItem(key, value);
    return true;
  }) ?? false;

export const removeStored = (area: Area, key: string): void =>
  attempt(() => window[area].removeItem(key));

/** Returns the keys of all that is stored. */
export const storedKeys = (area: Area): string[] =>
  attempt(() => {
    const storage = window[area];
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  }) ?? [];

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
