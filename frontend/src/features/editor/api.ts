/** The calls of the editor that are not generated. */
import { baseApi } from "@/api/baseApi";
import type { ContentKindView } from "@/api/generated";

interface UploadImage {
  readonly image: File;
  /** Left out while the idea has no number yet. */
  readonly ideaId?: number;
}

/** One saved state of an idea. */
export interface Revision {
  readonly revision: number;
  readonly title: string;
  readonly contentKind: ContentKindView;
  readonly sha256: string;
  readonly createdAt: string;
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
    listIdeaRevisions: build.query<Revision[], { id: number }>({
      query: ({ id }) => ({ url: `/api/ideas/${id}/revisions` }),
      // Saving adds one.
      providesTags: (_rows, _error, { id }) => [{ type: "Idea", id }],
    }),
  }),
});

/** Uploading one image answers with the address it is served from; revisions come newest first. */
export const { useUploadEditorImageMutation, useListIdeaRevisionsQuery } = editorApi;
