/** The one call of the editor that is not generated: a multipart upload (specification, section 7). */
import { baseApi } from "@/api/baseApi";

interface UploadImage {
  readonly image: File;
  /** Left out while the idea has no number yet. */
  readonly ideaId?: number;
}

const editorApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    uploadEditorImage: build.mutation<{ url: string }, UploadImage>({
      query: ({ image, ideaId }) => {
        const body = new FormData();
        body.set("image", image);
        if (ideaId !== undefined) body.set("ideaId", String(ideaId));
        return { url: "/api/upload/image", method: "POST", body };
      },
    }),
  }),
});

/** Uploads one image; answers with the address it is served from. */
export const { useUploadEditorImageMutation } = editorApi;
