import { Suspense } from "react";
import { lazyComponent } from "@/ui/lazyComponent";
import { Spinner } from "@/ui/Spinner";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";
import { useImageUploads } from "./useImageUploads";

const NoticeDialog = lazyComponent(() => import("./NoticeDialog"), "NoticeDialog");

interface ImageUploadsProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
}

/** Uploads the images of the document, with a status line and a dialog for failures. */
export function ImageUploads({ session, view: { idea, uploads } }: ImageUploadsProps) {
  const { failure, clearFailure } = useImageUploads(session, idea?.id);
  useIdleLoad(NoticeDialog.load);
  return (
    <>
      <p role="status" className="sr-only">
        {uploads > 0 && "Uploading image"}
      </p>
      {uploads > 0 && (
        <p
          aria-hidden="true"
          // Above everything else at the bottom of the window.
          className="pointer-events-none fixed bottom-20 left-1/2 z-30 flex -translate-x-1/2 items-center gap-2 rounded-full border border-line bg-surface px-4 py-2 text-sm shadow-raised"
        >
          <Spinner />
          Uploading image…
        </p>
      )}
      <Suspense fallback={null}>
        {failure !== null && (
          <NoticeDialog title="Add image" text={failure} onClose={clearFailure} />
        )}
      </Suspense>
    </>
  );
}
