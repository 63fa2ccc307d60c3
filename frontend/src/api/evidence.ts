import { api } from "./enhanced";
import type { PublicRecordSwitch, ShareType } from "./generated";

/** What outsiders have confirmed so far; `stopped`: the log accepts no events. */
export type EvidenceState = "recorded" | "submitted" | "confirmed" | "stopped";

/** One confirmation of the time by somebody else, or the attempt to get one. */
export interface Anchor {
  /** A time-stamping authority, an OpenTimestamps calendar, or a witness of the log. */
  kind: "tsa" | "ots" | "witness";
  name: string;
  state: "queued" | "submitted" | "pending" | "confirmed" | "refused";
  time: string | null;
  /** Height of the Bitcoin block. */
  block: number | null;
}

/** The facts that an event commits to, by the names of its disclosures. */
export type Facts = { [name: string]: { [field: string]: unknown } | undefined };

/** An event of the log, with what its owner may know of it. */
export interface EvidenceEvent {
  /** Place in the log; null while it waits for one. */
  index: number | null;
  log: string | null;
  type: string;
  at: string;
  /** Whether it was recorded after the fact. */
  recordedLater: boolean;
  revision: number | null;
  share: string | null;
  shareName: string | null;
  shareType: ShareType | null;
  recipient: string | null;
  /** Null where nobody is named, or the person was erased. */
  name: string | null;
  email: string | null;
  comment: string | null;
  file: string | null;
  facts: Facts;
  /** Whether names or facts are left out because they are damaged. */
  isDamaged: boolean;
  /** SHA-256 of the body. */
  digest: string;
  /** The event itself, as canonical JSON. */
  body: string;
}

/** The evidence of an idea: its state, and a page of its events, newest first. */
export interface Evidence {
  state: EvidenceState;
  log: { origin: string; size: number; vkey: string };
  /** The current revision. */
  revision: number;
  /** SHA-256 of its exact content; of a PDF, of the file. */
  sha256: string;
  /** Whether the current revision is on record. */
  onRecord: boolean;
  /** Whether anybody may look up its public record. */
  publicRecord: boolean;
  /** Place of the event that put the newest recorded revision on record. */
  index: number | null;
  recordedAt: string | null;
  anchors: Anchor[];
  events: EvidenceEvent[];
  /** Cursor of the next page. */
  next: string | null;
}

/** Events for each page of the timeline. */
const PAGE = 50;

const evidenceUrl = (id: number) => `/api/ideas/${id}/evidence`;

/** Returns the address of the owner's bundle. */
export const bundleUrl = (id: number): string => `${evidenceUrl(id)}.zip`;

/** Returns the address of the certificate of a published idea. */
export const certificateUrl = (id: number): string => `/api/ideas/${id}/certificate.pdf`;

/** Calls about evidence, with their tag: a module of its own, so that few pages load them. */
const evidenceApi = api.enhanceEndpoints({ addTagTypes: ["Evidence"] }).injectEndpoints({
  endpoints: (build) => ({
    /** The state alone. The revision only tells states before and after a save apart. */
    evidenceState: build.query<Evidence, { id: number; revision?: number }>({
      query: ({ id }) => ({ url: evidenceUrl(id), params: { limit: 1 } }),
      providesTags: (_state, _error, { id }) => [{ type: "Evidence", id }],
    }),
    evidencePages: build.infiniteQuery<Evidence, number, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: evidenceUrl(queryArg),
        params: { limit: PAGE, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next ?? undefined,
      },
      providesTags: (_pages, _error, id) => [{ type: "Evidence", id }],
    }),
    putOnRecord: build.mutation<Evidence, number>({
      query: (id) => ({ url: `${evidenceUrl(id)}/record`, method: "POST" }),
      invalidatesTags: (recorded, _error, id) => (recorded ? [{ type: "Evidence", id }] : []),
    }),
    // The generated one of that name knows no tag.
    switchPublicRecord: build.mutation<PublicRecordSwitch, { id: number; enabled: boolean }>({
      query: ({ id, enabled }) => ({
        url: `/api/ideas/${id}/public-record`,
        method: "PUT",
        body: { enabled },
      }),
      invalidatesTags: (changed, _error, { id }) => (changed ? [{ type: "Evidence", id }] : []),
    }),
  }),
});

export const {
  useEvidenceStateQuery,
  useEvidencePagesInfiniteQuery,
  usePutOnRecordMutation,
  useSwitchPublicRecordMutation,
} = evidenceApi;
