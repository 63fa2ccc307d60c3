import type { ListedIdea } from "@/api/generated";
import { titleOf } from "./messages";

/** In which order the ideas of a column stand. */
export type Order = "changed" | "title" | "published";

/** Which ideas show. */
export type Filter = "all" | "text" | "pdf" | "shared" | "unshared";

/** What the dashboard shows of the ideas, and how. */
export interface Choice {
  readonly search: string;
  readonly order: Order;
  readonly filter: Filter;
}

/** All ideas, as the server orders them. */
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
  // As the server sends them.
  changed: () => 0,
  title: (a, b) => titles.compare(titleOf(a), titleOf(b)),
  published: (a, b) => publication(b).localeCompare(publication(a)),
};

/** Times of one form, so that they compare as texts; none sorts last. */
const publication = ({ blockchainTimestamp }: ListedIdea) => blockchainTimestamp ?? "";

/** Without case and accents, so that nobody has to type them. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What a search looks through: what the card shows, and the document ID. */
const searchable = (idea: ListedIdea) =>
  folded(`Idea (${idea.id}) : ${titleOf(idea)} ${idea.documentId ?? ""}`);

/**
 * The ideas that match every word of the search, in order. Titles are encrypted in the database, so
 * that they are searched here, where all are known.
 */
export function arranged(ideas: readonly ListedIdea[], choice: Choice): readonly ListedIdea[] {
  const words = folded(choice.search).split(/\s+/).filter(Boolean);
  const matches = (idea: ListedIdea) => {
    if (!filters[choice.filter](idea)) return false;
    if (words.length === 0) return true;
    const text = searchable(idea);
    return words.every((word) => text.includes(word));
  };
  return ideas.filter(matches).sort(orders[choice.order]);
}
