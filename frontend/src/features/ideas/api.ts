/** The only call of the dashboard that is not generated: an upload with progress. */
import { baseApi } from "@/api/baseApi";
import { multipart } from "@/api/multipart";
import { upload } from "@/api/upload";

interface UploadPdf {
  file: File;
  title: string;
  /** Fraction sent, from 0 to 1. */
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
      // Also without a response: the idea may have been created all the same.
      invalidatesTags: ["IdeaList", "Storage"],
    }),
  }),
});

/** Creates an idea from a PDF; resolves to its id. */
export const { useUploadPdfMutation } = ideasApi;
