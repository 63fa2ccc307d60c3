/** `importPdf` with progress, which the generated one cannot report. */
import { baseApi } from "@/api/baseApi";
import { multipart } from "@/api/multipart";
import { upload } from "@/api/upload";

interface PdfImport {
  file: File;
  title: string;
  /** Sent again with the same key, a file makes no second idea. */
  idempotencyKey: string;
  /** Fraction sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
}

const ideasApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    importPdfWithProgress: build.mutation<{ id: number }, PdfImport>({
      queryFn: ({ file, title, idempotencyKey, onProgress }, { signal }) =>
        upload<{ id: number }>({
          url: "/api/ideas/pdf",
          body: multipart({ file, title }),
          headers: { "Idempotency-Key": idempotencyKey },
          signal,
          onProgress,
        }),
      // Also without a response: the idea may have been created all the same.
      invalidatesTags: ["IdeaList", "Storage"],
    }),
  }),
});

/** Creates an idea from a PDF; resolves to its id. */
export const { useImportPdfWithProgressMutation } = ideasApi;
