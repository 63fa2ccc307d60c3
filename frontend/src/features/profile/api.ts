/** The one call of the profile that is not generated: a multipart upload (spec section 7). */
import { baseApi } from "@/api/baseApi";
import type { User } from "@/api/generated";

const profileApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    uploadProfileImage: build.mutation<User, { image: File }>({
      query: ({ image }) => {
        const body = new FormData();
        body.set("image", image);
        return { url: "/api/profile/image", method: "POST", body };
      },
      // The image is one of the person's assets as well.
      invalidatesTags: ["Me", "Assets"],
    }),
  }),
});

/** Replaces the person's photo; answers with the person as they now are. */
export const { useUploadProfileImageMutation } = profileApi;
