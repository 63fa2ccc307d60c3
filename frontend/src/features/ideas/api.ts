/** The one call of the dashboard that is not generated: an upload that reports its progress. */
import { baseApi } from "@/api/baseApi";
import { multipart } from "@/api/multipart";
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
      queryFn: ({ file, title, onProgress }, { signal }) =>
        upload<{ id: number }>({
          url: "/api/ideas/pdf",
          body: multipart({ file, title }),
          signal,
          onProgress,
        }),
      // Also without an answer: the idea may be there all the same.
      invalidatesTags: ["IdeaList", "Storage"],
    }),
  }),
});

/** Makes an idea of a PDF; answers with its number. */
export const { useUploadPdfMutation } = ideasApi;
