import { api } from "./enhanced";
import type {
  EvidenceEvent as GeneratedEvent,
  Evidence as GeneratedEvidence,
  Idea,
} from "./generated";

/** The facts that an event commits to, by the names of its disclosures. */
export type Facts = { [name: string]: { [field: string]: unknown } | undefined };

/** An event of the log, with what its owner may know of it. */
export type EvidenceEvent = Omit<GeneratedEvent, "facts"> & { facts: Facts };

/** The evidence of an idea: its state, and a page of its events, newest first. */
export type Evidence = Omit<GeneratedEvidence, "events"> & { events: EvidenceEvent[] };

/** Events for each page of the timeline. */
const PAGE = 50;

const evidenceUrl = (id: number) => `/api/ideas/${id}/evidence`;

/** Returns the address of the owner's bundle. */
export const bundleUrl = (id: number): string => `${evidenceUrl(id)}.zip`;

/** Returns the address of the certificate of a published idea. */
export const certificateUrl = (id: number): string => `/api/ideas/${id}/certificate.pdf`;

/** Calls about evidence, with their tag: a module of its own, so that few pages load them. */
const evidenceApi = api
  .enhanceEndpoints({
    addTagTypes: ["Evidence"],
    endpoints: {
      recordRevision: {
        invalidatesTags: (recorded, _error, { id }) =>
          recorded ? [{ type: "Evidence", id }, "IdeaList"] : [],
      },
      setPublicRecord: {
        invalidatesTags: (changed, _error, { id }) => (changed ? [{ type: "Evidence", id }] : []),
      },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      /** The state alone. Version and status only tell states before and after a change apart. */
      evidenceState: build.query<
        Evidence,
        { id: number; revision?: number; status?: Idea["status"] }
      >({
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
    }),
  });

export const {
  useEvidenceStateQuery,
  useEvidencePagesInfiniteQuery,
  useRecordRevisionMutation,
  useSetPublicRecordMutation,
} = evidenceApi;
