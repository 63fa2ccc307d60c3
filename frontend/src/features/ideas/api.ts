/** The one call of the dashboard that is not generated: an upload that reports its progress. */
import { baseApi } from "@/api/baseApi";
import { upload } from "@/api/upload";

interface UploadPdf {
  file: File;
  title: string;
  /** How much has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

const ideasApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    uploadPdf: build.mutation<{ id: number }, UploadPdf>({
      queryFn: async ({ file, title, onProgress }, { signal }) => {
        const body = new FormData();
        body.set("file", file);
        body.set("title", title);
        return upload<{ id: number }>({ url: "/api/ideas/pdf", body, signal, onProgress });
      },
      invalidatesTags: (idea) => (idea ? ["IdeaList"] : []),
    }),
  }),
});

/** Makes an idea of a PDF; answers with its number. */
export const { useUploadPdfMutation } = ideasApi;
