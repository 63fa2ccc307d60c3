import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { COMMAND_PRIORITY_EDITOR } from "lexical";
import { lazy, Suspense, useEffect, useState } from "react";
import { useUploadImageMutation } from "@/api/enhanced";
import { Spinner } from "@/ui/Spinner";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { INSERT_IMAGE_COMMAND, UPLOAD_IMAGES_COMMAND } from "../extensions/media";
import { parseImageUrl } from "../html/urls";
import { messages } from "../messages";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";

const load = () => import("./NoticeDialog");
const NoticeDialog = lazy(async () => ({ default: (await load()).NoticeDialog }));

interface ImageUploadsProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
}

/** Uploads images, one after the other, and inserts each where the caret then is. */
export function ImageUploads({ session, view: { idea, uploads } }: ImageUploadsProps) {
  const ideaId = idea?.id;
  const [editor] = useLexicalComposerContext();
  const [upload] = useUploadImageMutation();
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    const insert = async (file: File) => {
      const size = measure(file);
      const result = await upload({ imageForm: { image: file, ideaId: ideaId ?? null } });
      const src = result.data && parseImageUrl(result.data.url);
      if (src) {
        const image = { src, alt: describe(file.name), ...(await size) };
        editor.dispatchCommand(INSERT_IMAGE_COMMAND, image);
      } else setFailure(hasAnswer(result.error) ? messages.imageFailed : messages.imageError);
    };
    const insertAll = async (files: readonly File[]) => {
      session.countUploads(files.length);
      for (const file of files) {
        await insert(file);
        session.countUploads(-1);
      }
    };
    return editor.registerCommand(
      UPLOAD_IMAGES_COMMAND,
      (files) => {
        void insertAll(files);
        return true;
      },
      COMMAND_PRIORITY_EDITOR,
    );
  }, [editor, upload, session, ideaId]);

  useIdleLoad(load);
  const close = () => setFailure(null);
  return (
    <>
      <p role="status" className="sr-only">
        {uploads > 0 && "Uploading image"}
      </p>
      {uploads > 0 && (
        <p
          aria-hidden="true"
          className="fixed bottom-4 left-1/2 z-30 flex -translate-x-1/2 items-center gap-2 rounded-full border border-line bg-surface px-4 py-2 text-sm shadow-raised"
        >
          <Spinner />
          Uploading image…
        </p>
      )}
      <Suspense fallback={null}>
        {failure !== null && <NoticeDialog title="Add image" text={failure} onClose={close} />}
      </Suspense>
    </>
  );
}

/** A starting point for the description, which the writer can improve under the image. */
function describe(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]+$/i, "")
    .replace(/[-_]+/g, " ")
    .trim();
}

async function measure(file: File): Promise<{ width: number; height: number }> {
  try {
    const { width, height } = await createImageBitmap(file);
    return { width, height };
  } catch {
    // Not decodable here: the page then takes the size from the loaded image.
    return { width: 0, height: 0 };
  }
}

function hasAnswer(error: unknown): boolean {
  const status =
    typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return typeof status === "number" && status > 0;
}
