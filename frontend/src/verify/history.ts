/**
 * Events that must stand before another, in its log or an earlier one. A bundle shows no event that
 * it does not have, and no number of them: leaving out everything about one recipient goes unnoticed.
 * But what an event presupposes must be there.
 */
import type { Log } from "./log";
import { messages } from "./messages";
import type { Verifier } from "./verifier";

const FIELDS = ["recipient", "view", "revision", "comment", "mark"] as const;

interface Rule {
  readonly types: readonly string[];
  readonly field: (typeof FIELDS)[number];
  /** Types of event that must precede this one, with the same value of the field. */
  readonly before: readonly string[];
  /** Why the bundle is false if there is none. */
  readonly problem: string;
}

const words = messages.history;
const ACCEPTED = "agreement.accepted";

const rules: readonly Rule[] = [
  {
    types: [
      "agreement.delivered",
      ACCEPTED,
      "agreement.declined",
      "email.confirmed",
      "person.erased",
    ],
    field: "recipient",
    before: ["agreement.offered"],
    problem: words.notOffered,
  },
  {
    types: [
      "view.started",
      "file.delivered",
      "visit.closed",
      "comment.added",
      "access.requested",
      "access.approved",
      "access.refused",
    ],
    field: "recipient",
    before: [ACCEPTED],
    problem: words.notAccepted,
  },
  { types: ["file.delivered"], field: "view", before: ["view.started"], problem: words.notViewed },
  {
    types: ["view.started", "file.delivered"],
    field: "revision",
    before: ["revision.recorded", "idea.published"],
    problem: words.notRecorded,
  },
  {
    types: ["comment.changed", "comment.withdrawn"],
    field: "comment",
    before: ["comment.added"],
    problem: words.notAdded,
  },
];

interface Exclusion {
  readonly types: readonly string[];
  /** Type of event of the same reader that must not precede this one, ... */
  readonly excluded: string;
  /** ... unless one of this type does as well. */
  readonly unless?: string;
  /** Why the bundle is false otherwise. */
  readonly problem: string;
}

const exclusions: readonly Exclusion[] = [
  {
    types: ["view.started", "file.delivered", "comment.added"],
    excluded: "access.requested",
    unless: "access.approved",
    problem: words.notApproved,
  },
  { types: ["access.requested"], excluded: "view.started", problem: words.openedBefore },
  {
    types: ["access.approved", "view.started", "file.delivered", "comment.added"],
    excluded: "access.refused",
    problem: words.refused,
  },
  { types: ["access.refused"], excluded: "access.approved", problem: words.approved },
];

/** Checks all logs, from the oldest one to the newest one. */
export function verifyHistory(verifier: Verifier, logs: readonly Log[]): void {
  const seen = new Set<string>();
  for (const { path, event, digest } of logs.flatMap((log) => [...log.events.values()])) {
    for (const { types, field, before, problem } of rules) {
      const value = event[field];
      if (value === undefined || !types.includes(event.type)) continue;
      if (!before.some((type) => seen.has(keyOf(type, field, value)))) {
        verifier.fails("event", path, problem);
      }
    }
    const reader = event.recipient;
    const isBefore = (type: string) =>
      reader !== undefined && seen.has(keyOf(type, "recipient", reader));
    for (const { types, excluded, unless, problem } of exclusions) {
      if (!types.includes(event.type) || !isBefore(excluded)) continue;
      if (unless === undefined || !isBefore(unless)) verifier.fails("event", path, problem);
    }
    if (event.mark !== undefined && seen.has(keyOf("view.started", "mark", event.mark))) {
      verifier.fails("event", path, words.sameMark);
    }
    for (const field of FIELDS) {
      const value = event[field];
      if (value !== undefined) seen.add(keyOf(event.type, field, value));
    }
    const { delivered, recipient = "" } = event;
    if (typeof delivered === "string" && !seen.has(keyOf("delivery", delivered, recipient))) {
      verifier.fails("event", path, messages.event.delivery);
    }
    if (event.type === "agreement.delivered") seen.add(keyOf("delivery", digest, recipient));
  }
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
