import { api } from "./enhanced";
import type { ListReadersApiArg, Readers } from "./generated";
import { addressOfFile } from "./report";

/** Says which readers are looked for, by the names of the call. */
export type ReaderFilters = Omit<ListReadersApiArg, "limit" | "cursor">;

/** Readers for each page. */
const PAGE = 100;

/** The call about readers: a module of its own, so that few pages load it. */
const readersApi = api.injectEndpoints({
  endpoints: (build) => ({
    readerPages: build.infiniteQuery<Readers, ReaderFilters, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/readers",
        params: { ...queryArg, limit: PAGE, cursor: pageParam },
        firstPageOnly: true,
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next ?? undefined,
      },
      providesTags: ["Activity"],
    }),
  }),
});

export const { useReaderPagesInfiniteQuery } = readersApi;

/** Returns the address of an export of the readers that are looked for. */
export const exportUrl = (format: "csv" | "json", filters: ReaderFilters): string =>
  addressOfFile("/api/readers/export", format, filters);
