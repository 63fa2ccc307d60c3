import { api } from "./enhanced";

/** Endpoints of the notification settings, with their tags; only the profile uses them. */
const notificationSettingsApi = api.enhanceEndpoints({
  addTagTypes: ["NotificationSettings"],
  endpoints: {
    getNotificationSettings: { providesTags: ["NotificationSettings"] },
    updateNotificationSettings: {
      invalidatesTags: ["NotificationSettings"],
      // The choice holds before the settings have been loaded anew.
      onQueryStarted: async (_settings, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (!answer) return;
        dispatch(api.util.updateQueryData("getNotificationSettings", undefined, () => answer.data));
      },
    },
  },
});

export const { useGetNotificationSettingsQuery, useUpdateNotificationSettingsMutation } =
  notificationSettingsApi;
