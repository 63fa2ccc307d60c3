import { baseApi } from "./baseApi";
import type { SuccessView, User } from "./generated";

interface ChangePasswordBody {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

/** An uploaded image of the person's. */
export interface Asset {
  id: string;
  fileName: string;
  /** The address it is served from. */
  filePath: string;
  createdAt: string;
}

/** Calls whose schema has not been generated from yet; each goes when its generated one comes. */
const accountApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<SuccessView, { changePasswordBody: ChangePasswordBody }>({
      query: ({ changePasswordBody: body }) => ({
        url: "/api/auth/change-password",
        method: "POST",
        body,
      }),
    }),
    updateProfile: build.mutation<User, { profileBody: { name: string } }>({
      query: ({ profileBody: body }) => ({ url: "/api/profile", method: "PUT", body }),
      invalidatesTags: ["Me"],
    }),
    listAssets: build.query<Asset[], void>({
      query: () => ({ url: "/api/assets" }),
      providesTags: ["Assets"],
    }),
  }),
});

export const { useChangePasswordMutation, useUpdateProfileMutation, useListAssetsQuery } =
  accountApi;
