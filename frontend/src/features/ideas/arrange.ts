import type { ListedIdea } from "@/api/generated";
import { hasWords } from "@/ui/searchWords";
import { titleOf } from "./messages";

/** Sort order of the ideas in a column. */
export type Order = "changed" | "title" | "published";

/** Filter of the ideas. */
export type Filter = "all" | "text" | "pdf" | "shared" | "unshared";

/** Search, order and filter of the dashboard. */
export interface Choice {
  readonly search: string;
  readonly order: Order;
  readonly filter: Filter;
}

/** All ideas, in the server's order. */
export const everything: Choice = { search: "", order: "changed", filter: "all" };

const filters: Record<Filter, (idea: ListedIdea) => boolean> = {
  all: () => true,
  text: ({ contentKind }) => contentKind !== "pdf",
  pdf: ({ contentKind }) => contentKind === "pdf",
  shared: ({ linkCount }) => linkCount > 0,
  unshared: ({ linkCount }) => linkCount === 0,
};

const titles = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const orders: Record<Order, (a: ListedIdea, b: ListedIdea) => number> = {
  // The server's order.
  changed: () => 0,
  title: (a, b) => titles.compare(titleOf(a), titleOf(b)),
  published: (a, b) => publication(b).localeCompare(publication(a)),
};

/** Returns the publication time, in a format that compares as text; drafts sort last. */
const publication = ({ blockchainTimestamp }: ListedIdea) => blockchainTimestamp ?? "";

/** Returns the searched text: that on the card, and the document ID. */
const searchable = (idea: ListedIdea) =>
  `Idea (${idea.id}) : ${titleOf(idea)} ${idea.documentId ?? ""}`;

/**
 * Returns the ideas that match every word of the search, in order. Titles are encrypted in the
 * database, so the search runs here, where all are known.
 */
export function arranged(ideas: readonly ListedIdea[], choice: Choice): readonly ListedIdea[] {
  const isFound = hasWords(choice.search);
  return ideas
    .filter((idea) => filters[choice.filter](idea) && isFound(searchable(idea)))
    .sort(orders[choice.order]);
}
