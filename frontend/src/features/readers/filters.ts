import type { ReaderFilters } from "@/api/readers";

/** Everything that can be looked for, as the address has it. */
export const names = ["q", "ideaId", "shareId", "version", "state", "from", "to", "sort"] as const;

type Name = (typeof names)[number];

/** What is looked for, as the form has it. */
export type Wanted = Record<Name, string>;

/** Reads what is looked for from the address. */
export const wantedIn = (query: URLSearchParams): Wanted =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as Wanted;

/** Writes what is looked for into an address, without what is not. */
export function addressOf(wanted: Wanted): URLSearchParams {
  const chosen = names.filter((name) => wanted[name].trim() !== "");
  return new URLSearchParams(chosen.map((name) => [name, wanted[name].trim()]));
}

/**
 * Returns what is looked for, as the call has it: of one idea, if the page is that idea's. Texts go
 * as they are, and the server says what is wrong with them.
 */
export const filtersOf = (query: URLSearchParams, ideaId: number | null): ReaderFilters => ({
  ...Object.fromEntries(addressOf(wantedIn(query))),
  ...(ideaId !== null && { ideaId }),
});
