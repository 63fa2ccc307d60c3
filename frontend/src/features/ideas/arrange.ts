import type { ListedIdea } from "@/api/generated";
import { hasWords } from "@/ui/searchWords";
import { titleOf } from "./messages";

/** Sort order of the ideas in a column. */
export type Order = "changed" | "title" | "published";

/** Filter of the ideas. All but one leave archived ideas out. */
export type Filter = "all" | "text" | "pdf" | "shared" | "unshared" | "archived";

/** A filter by a tag. */
export type TagFilter = `#${string}`;

/** Search, order and filter of the dashboard. */
export interface Choice {
  readonly search: string;
  readonly order: Order;
  readonly filter: Filter | TagFilter;
}

/** All ideas, in the server's order. */
export const everything: Choice = { search: "", order: "changed", filter: "all" };

const filters: Record<Exclude<Filter, "archived">, (idea: ListedIdea) => boolean> = {
  all: () => true,
  text: ({ contentKind }) => contentKind !== "pdf",
  pdf: ({ contentKind }) => contentKind === "pdf",
  shared: ({ linkCount }) => linkCount > 0,
  unshared: ({ linkCount }) => linkCount === 0,
};

const titles = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const isSame = (one: string, other: string) => titles.compare(one, other) === 0;

const isTag = (filter: Choice["filter"]): filter is TagFilter => filter.startsWith("#");

/** Returns the tags of the ideas that are not archived, in order, each once. */
export function tagsOf(ideas: readonly ListedIdea[]): readonly string[] {
  const all = ideas.filter((idea) => !idea.archived).flatMap((idea) => idea.tags);
  const sorted = all.sort(titles.compare);
  return sorted.filter((tag, index) => index === 0 || !isSame(tag, sorted[index - 1] ?? ""));
}

/** Returns the choice without a tag that no idea has any more. */
export const stillPossible = (choice: Choice, tags: readonly string[]): Choice =>
  isTag(choice.filter) && !tags.some((tag) => `#${tag}` === choice.filter)
    ? { ...choice, filter: "all" }
    : choice;

function isChosen({ filter }: Choice): (idea: ListedIdea) => boolean {
  if (filter === "archived") return () => true;
  if (!isTag(filter)) return filters[filter];
  const tag = filter.slice(1);
  return (idea) => idea.tags.some((each) => isSame(each, tag));
}

/** Returns the ideas that a choice is made from: those of the archive, or the others. */
export const choosable = (ideas: readonly ListedIdea[], { filter }: Choice) =>
  ideas.filter((idea) => idea.archived === (filter === "archived"));

const orders: Record<Order, (a: ListedIdea, b: ListedIdea) => number> = {
  // The server's order.
  changed: () => 0,
  title: (a, b) => titles.compare(titleOf(a), titleOf(b)),
  published: (a, b) => publication(b).localeCompare(publication(a)),
};

/** Returns the publication time, in a format that compares as text; drafts sort last. */
const publication = ({ blockchainTimestamp }: ListedIdea) => blockchainTimestamp ?? "";

/** Returns the searched text: title and tags on the card, and the document ID. */
const searchable = (idea: ListedIdea) =>
  `Idea (${idea.id}) : ${titleOf(idea)} ${idea.tags.join(" ")} ${idea.documentId ?? ""}`;

/**
 * Returns the ideas that match every word of the search, in order. Titles are encrypted in the
 * database, so the search runs here, where all are known.
 */
export function arranged(ideas: readonly ListedIdea[], choice: Choice): readonly ListedIdea[] {
  const isFound = hasWords(choice.search);
  const isWanted = isChosen(choice);
  return choosable(ideas, choice)
    .filter((idea) => isWanted(idea) && isFound(searchable(idea)))
    .sort(orders[choice.order]);
}
