import { useCallback, useEffect } from "react";
import type { CacheTag } from "./baseApi";
import { generatedApi, type ListIdeasApiArg } from "./generated";
import { type ApiError, isUnanswered } from "./http";
import { multipart } from "./multipart";

/**
 * The answer to a call about a comment is shown in the list (src/sharing/commentActions.ts). Without
 * one, only the list itself says whether the call arrived.
 */
const commentsUnlessAnswered = (_comment: unknown, error: ApiError | undefined): CacheTag[] =>
  error && isUnanswered(error) ? ["Comments"] : [];

/** Asks for all ideas of the account: one list for all screens, each of which shows a part. */
export const allIdeas: ListIdeasApiArg = { archived: true };

/**
 * The generated API with fine-grained cache tags. Import hooks and endpoints from here
 * (`./generated` only for types): importing this module registers the tags.
 */
export const api = generatedApi.enhanceEndpoints<CacheTag>({
  endpoints: {
    getCurrentUser: { providesTags: ["Me"] },
    // The generator would send multipart forms as JSON.
    uploadImage: {
      query: ({ imageForm, "Idempotency-Key": key }) => ({
        url: "/api/upload/image",
        method: "POST",
        body: multipart(imageForm),
        headers: { "Idempotency-Key": key },
      }),
      invalidatesTags: (image) => (image ? ["Assets", "Storage"] : []),
    },
    listAssets: { providesTags: ["Assets"] },
    deleteAsset: { invalidatesTags: ["Assets", "Storage"] },
    getStorage: { providesTags: ["Storage"] },
    listIdeas: { providesTags: ["IdeaList"] },
    getIdea: { providesTags: (_idea, _error, { id }) => [{ type: "Idea", id }] },
    createIdea: { invalidatesTags: ["IdeaList", "Storage"] },
    updateIdea: {
      invalidatesTags: (_idea, _error, { id }) => ["IdeaList", "Storage", { type: "Idea", id }],
    },
    publishIdea: {
      invalidatesTags: (_idea, _error, { id }) => ["IdeaList", { type: "Idea", id }],
    },
    deleteIdea: {
      invalidatesTags: (_idea, _error, { id }) => ["IdeaList", "Storage", { type: "Idea", id }],
      // Optimistic: the card disappears at once and comes back if the server refuses.
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const removal = dispatch(
          generatedApi.util.updateQueryData("listIdeas", allIdeas, (ideas) =>
            ideas.filter((idea) => idea.id !== id),
          ),
        );
        await queryFulfilled.catch(removal.undo);
      },
    },
    organizeIdea: { invalidatesTags: ["IdeaList"] },
    // Saving adds a revision.
    listIdeaRevisions: { providesTags: (_rows, _error, { id }) => [{ type: "Idea", id }] },
    listIdeaShares: {
      providesTags: (_shares, _error, { id }) => [{ type: "Shares", id }],
      // The list of ideas has link and view counts, and is not refetched on its own.
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (!answer) return;
        dispatch(
          generatedApi.util.updateQueryData("listIdeas", allIdeas, (ideas) => {
            const idea = ideas.find((row) => row.id === id);
            if (!idea) return;
            idea.linkCount = answer.data.length;
            idea.viewCount = answer.data.reduce((sum, share) => sum + share.viewCount, 0);
          }),
        );
      },
    },
    listIdeaActivity: { providesTags: (_rows, _error, { id }) => [{ type: "Activity", id }] },
    createShare: {
      // Also without an answer: the server may have made the link.
      invalidatesTags: (_share, error, { shareBody }) =>
        error && error.status !== 0 ? [] : [{ type: "Shares", id: shareBody.ideaId }],
    },
    // Ends open views.
    revokeShare: { invalidatesTags: ["Shares", "Activity"] },
    erasePerson: { invalidatesTags: ["Activity", "Comments", "Shares"] },
    listComments: { providesTags: ["Comments"] },
    createComment: { invalidatesTags: commentsUnlessAnswered },
    editComment: { invalidatesTags: commentsUnlessAnswered },
    withdrawComment: { invalidatesTags: commentsUnlessAnswered },
  },
});

export const {
  useGetCurrentUserQuery,
  useUploadImageMutation,
  useListAssetsQuery,
  useDeleteAssetMutation,
  useGetStorageQuery,
  useListIdeasQuery,
  useOrganizeIdeaMutation,
  useCreateIdeaMutation,
  useUpdateIdeaMutation,
  usePublishIdeaMutation,
  useDeleteIdeaMutation,
  useListIdeaRevisionsQuery,
  useGetIdeaRevisionQuery,
  useListIdeaSharesQuery,
  useListIdeaActivityQuery,
  useCreateShareMutation,
  useRevokeShareMutation,
  useErasePersonMutation,
  useListCommentsQuery,
  useCreateCommentMutation,
  useEditCommentMutation,
  useWithdrawCommentMutation,
  useAskAssistantMutation,
  useSendEmailConfirmationMutation,
} = api;

/**
 * Loads an idea anew for a screen that opens it; null loads nothing. A cached copy from an earlier
 * screen is never shown, not even while loading: the idea may have been saved elsewhere since, or
 * deleted.
 */
export function useFreshIdea(id: number | null) {
  const [load, { data, error, isFetching, originalArgs }] = api.useLazyGetIdeaQuery();
  const reload = useCallback(() => {
    if (id !== null) load({ id });
  }, [load, id]);
  useEffect(reload, [reload]);

  // Until the effect has run, this is the result for another idea. An address without a number
  // requests NaN, which equals nothing.
  const isAnswered = Object.is(originalArgs?.id, id) && !isFetching;
  return {
    idea: isAnswered && !error ? data : undefined,
    error: isAnswered ? error : undefined,
    reload,
  };
}
