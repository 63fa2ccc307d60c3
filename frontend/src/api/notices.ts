import { api } from "./enhanced";

/** Endpoints of the notification settings, with their tags; only two pages use them. */
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
