import { escaped } from "./escape";
import type { Log } from "./log";
import { type DisclosedFacts, told } from "./names";
import type { Story, Summary } from "./report";

/**
 * Returns what a bundle shows: by the events that its newest log vouches for, and apart from them by
 * those of each other log.
 * @param logs All logs.
 * @param chain Those that the newest one vouches for, itself included, oldest first.
 * @param facts What disclosures say, by their digests.
 */
export function summaryOf(
  logs: readonly Log[],
  chain: readonly Log[],
  facts: DisclosedFacts,
): Summary | null {
  const newest = chain.at(-1);
  if (!newest) return null;
  const vouched = new Set(chain);
  return {
    origin: escaped(newest.checkpoint.origin),
    size: newest.checkpoint.size,
    vkey: escaped(newest.key.text),
    ...readStory(chain, facts),
    unvouched: logs
      .filter((log) => !vouched.has(log))
      .map((log) => ({
        prefix: log.prefix,
        origin: escaped(log.checkpoint.origin),
        ...readStory([log], facts),
      })),
  };
}

/** Reads what the events of logs tell, and of their facts only those that they name. */
function readStory(logs: readonly Log[], facts: DisclosedFacts): Story {
  let idea: string | null = null;
  let title: string | null = null;
  let creator: string | null = null;
  const people = new Map<string, { person: string; address: string | null }>();
  const events = logs.flatMap(({ checkpoint, events }) =>
    [...events].map(([place, { event }]) => ({ place, event, origin: checkpoint.origin })),
  );
  for (const { event } of events) {
    if (event.idea !== undefined) idea ??= escaped(event.idea);
    const content = told(facts, event, "content");
    if (typeof content?.title === "string") title = escaped(content.title);
    if (typeof content?.creator === "string") creator = escaped(content.creator);
    const { name, email } = told(facts, event, "person") ?? {};
    if (event.recipient !== undefined && typeof name === "string") {
      const address = typeof email === "string" ? escaped(email) : null;
      people.set(event.recipient, { person: escaped(name), address });
    }
  }
  return {
    idea,
    title,
    creator,
    events: events.map(({ place, event, origin }) => ({
      place,
      log: logs.length > 1 ? origin.slice(origin.lastIndexOf("/") + 1) : null,
      type: event.type,
      at: event.at,
      isUndelivered: event.delivered === false,
      ...(people.get(event.recipient ?? "") ?? { person: null, address: null }),
      version: event.revision === undefined ? null : escaped(event.revision),
    })),
  };
}
