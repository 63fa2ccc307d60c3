import { api } from "./enhanced";

/** The calls about when mails come, with their tags: only two pages make them. */
const noticesApi = api.enhanceEndpoints({
  addTagTypes: ["NotificationSettings"],
  endpoints: {
    getNotificationSettings: { providesTags: ["NotificationSettings"] },
    updateNotificationSettings: { invalidatesTags: ["NotificationSettings"] },
    updateShareNotifications: { invalidatesTags: ["Shares"] },
  },
});

export const {
  useGetNotificationSettingsQuery,
  useUpdateNotificationSettingsMutation,
  useUpdateShareNotificationsMutation,
} = noticesApi;
