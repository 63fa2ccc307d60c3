import { api } from "./enhanced";

/** Endpoints of the notification settings, with their tags; only the profile uses them. */
const notificationSettingsApi = api.enhanceEndpoints({
  addTagTypes: ["NotificationSettings"],
  endpoints: {
    getNotificationSettings: { providesTags: ["NotificationSettings"] },
    updateNotificationSettings: { invalidatesTags: ["NotificationSettings"] },
  },
});

export const { useGetNotificationSettingsQuery, useUpdateNotificationSettingsMutation } =
  notificationSettingsApi;
