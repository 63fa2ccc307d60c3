import { api } from "./enhanced";
import { multipart } from "./multipart";

/** The calls that only the profile makes, with their tags: apart, so that no other page loads them. */
const profileApi = api.enhanceEndpoints({
  addTagTypes: ["Sessions", "TwoStep"],
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
    getTotp: { providesTags: ["TwoStep"] },
    // Refused when another tab was faster: it may be on by now.
    beginTotp: { invalidatesTags: (_setup, error) => (error ? ["TwoStep"] : []) },
    // Ends all other sessions.
    confirmTotp: { invalidatesTags: ["TwoStep", "Sessions"] },
    removeTotp: { invalidatesTags: ["TwoStep"] },
    // Refused when another tab was faster: it may be off by now.
    replaceRecoveryCodes: { invalidatesTags: ["TwoStep"] },
    // Ends all other sessions.
    changePassword: { invalidatesTags: (done) => (done ? ["Sessions"] : []) },
  },
});

export const {
  useUpdateProfileMutation,
  useUploadProfileImageMutation,
  useChangePasswordMutation,
  useGetTotpQuery,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useReplaceRecoveryCodesMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndSessionsMutation,
} = profileApi;
