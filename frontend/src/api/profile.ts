import { api } from "./enhanced";
import { multipart } from "./multipart";

/**
 * Endpoints that only the profile page uses, with their tags: a module of its own, so that no other
 * page loads them.
 */
const profileApi = api.enhanceEndpoints({
  addTagTypes: ["Sessions", "TwoFactor"],
  endpoints: {
    updateProfile: { invalidatesTags: ["Me"] },
    // Multipart forms, as in ./enhanced.
    uploadProfileImage: {
      query: ({ profileImageForm, "Idempotency-Key": key }) => ({
        url: "/api/profile/image",
        method: "POST",
        body: multipart(profileImageForm),
        headers: { "Idempotency-Key": key },
      }),
      invalidatesTags: ["Me", "Assets"],
    },
    listSessions: { providesTags: ["Sessions"] },
    endSession: { invalidatesTags: ["Sessions"] },
    endSessions: { invalidatesTags: ["Sessions"] },
    getTwoFactor: { providesTags: ["TwoFactor"] },
    // Refused when another tab was faster: two-factor sign-in may be on by now.
    beginTwoFactor: { invalidatesTags: (_setup, error) => (error ? ["TwoFactor"] : []) },
    // Ends all other sessions.
    confirmTwoFactor: { invalidatesTags: ["TwoFactor", "Sessions"] },
    removeTwoFactor: { invalidatesTags: ["TwoFactor"] },
    // Refused when another tab was faster: two-factor sign-in may be off by now.
    replaceRecoveryCodes: { invalidatesTags: ["TwoFactor"] },
    // Ends all other sessions.
    changePassword: { invalidatesTags: (done) => (done ? ["Sessions"] : []) },
  },
});

export const {
  useUpdateProfileMutation,
  useUploadProfileImageMutation,
  useChangePasswordMutation,
  useGetTwoFactorQuery,
  useBeginTwoFactorMutation,
  useConfirmTwoFactorMutation,
  useRemoveTwoFactorMutation,
  useReplaceRecoveryCodesMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndSessionsMutation,
  useDeleteAccountMutation,
} = profileApi;
