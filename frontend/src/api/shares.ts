import type { BaseQueryFn, TypedMutationOnQueryStarted } from "@reduxjs/toolkit/query/react";
import { api } from "./enhanced";
import type { Share } from "./generated";

/** Changes of a link, which are shown at once; only the share page makes them. */
const sharesApi = api.enhanceEndpoints({
  endpoints: {
    changeShare: {
      invalidatesTags: ["Shares"],
      onQueryStarted: ({ id, shareChangeBody }, call) => {
        const { name: _, ...options } = shareChangeBody;
        return showChange(call, id, (share) => void Object.assign(share, options));
      },
    },
    updateShareNotifications: {
      invalidatesTags: ["Shares"],
      onQueryStarted: ({ id, shareNotificationsBody }, call) =>
        showChange(call, id, (share) => {
          share.notifications = shareNotificationsBody.mode ?? null;
        }),
    },
  },
});

export const { useChangeShareMutation, useUpdateShareNotificationsMutation } = sharesApi;

type MutationCall = Parameters<
  NonNullable<TypedMutationOnQueryStarted<unknown, unknown, BaseQueryFn, "api">>
>[1];

/**
 * Changes a link in the cached lists until they are loaded anew, and changes it back if the server
 * refuses.
 */
async function showChange(
  { dispatch, getState, queryFulfilled }: MutationCall,
  id: Share["id"],
  change: (share: Share) => void,
): Promise<void> {
  const { selectCachedArgsForQuery, updateQueryData } = api.util;
  const changes = selectCachedArgsForQuery(getState(), "listIdeaShares").map((list) =>
    dispatch(
      updateQueryData("listIdeaShares", list, (shares) => {
        const share = shares.find((row) => row.id === id);
        if (share) change(share);
      }),
    ),
  );
  await queryFulfilled.catch(() => {
    for (const { undo } of changes) undo();
  });
}
