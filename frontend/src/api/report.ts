import type { ListReadersApiArg } from "./generated";

/** Returns the address of a file about readers, of all or of those that are looked for. */
export function addressOfFile(path: string, format: string, filters: object): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return `${path}?${query}`;
}

/** Returns the address of the report of an idea. */
export const reportUrl = (
  ideaId: number,
  format: "pdf" | "html",
  filters: Omit<ListReadersApiArg, "ideaId" | "sort" | "limit" | "cursor"> = {},
): string => addressOfFile(`/api/ideas/${ideaId}/report`, format, filters);
