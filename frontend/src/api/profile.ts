import { api } from "./enhanced";
import { multipart } from "./multipart";

/** The calls that only the profile makes, with their tags: apart, so that no other page loads them. */
const profileApi = api.enhanceEndpoints({
  addTagTypes: ["Sessions"],
  endpoints: {
    updateProfile: { invalidatesTags: ["Me"] },
    // As in ./enhanced.
    uploadProfileImage: {
      query: ({ profileImageForm }) => ({
        url: "/api/profile/image",
        method: "POST",
        body: multipart(profileImageForm),
      }),
      invalidatesTags: ["Me", "Assets"],
    },
    listSessions: { providesTags: ["Sessions"] },
    endSession: { invalidatesTags: ["Sessions"] },
    endSessions: { invalidatesTags: ["Sessions"] },
    // Ends all other sessions.
    changePassword: { invalidatesTags: (done) => (done ? ["Sessions"] : []) },
  },
});

export const {
  useUpdateProfileMutation,
  useUploadProfileImageMutation,
  useChangePasswordMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndSessionsMutation,
} = profileApi;
