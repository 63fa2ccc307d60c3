import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import {
  $getNodeByKey,
  COMMAND_PRIORITY_EDITOR,
  HISTORY_MERGE_TAG,
  mergeRegister,
  type NodeKey,
} from "lexical";
import { Suspense, useLayoutEffect, useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useUploadImageMutation } from "@/api/enhanced";
import { lazyComponent } from "@/ui/lazyComponent";
import { Spinner } from "@/ui/Spinner";
import { useIdleLoad } from "@/ui/useIdleLoad";
import {
  INSERT_IMAGE_COMMAND,
  UPLOAD_IMAGES_COMMAND,
  UPLOAD_INLINE_IMAGES_COMMAND,
} from "../extensions/media";
import { mayStayInline } from "../html/media";
import { parseImageUrl } from "../html/urls";
import { messages } from "../messages";
import { $isImageNode } from "../nodes/imageNode";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";

const NoticeDialog = lazyComponent(() => import("./NoticeDialog"), "NoticeDialog");

interface ImageUploadsProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
}

/**
 * Uploads images one after the other: files, which are inserted at the caret, and pasted ones,
 * which are in the text as `data:` URLs until the upload is done.
 */
export function ImageUploads({ session, view: { idea, uploads } }: ImageUploadsProps) {
  const ideaId = idea?.id;
  const [editor] = useLexicalComposerContext();
  const [upload] = useUploadImageMutation();
  const [failure, setFailure] = useState<string | null>(null);

  useLayoutEffect(() => {
    const insert = async (file: File) => {
      const size = measure(file);
      const result = await upload({ imageForm: { image: file, ideaId: ideaId ?? null } });
      const src = result.data && parseImageUrl(result.data.url);
      if (src) {
        const image = { src, alt: describe(file.name), ...(await size) };
        editor.dispatchCommand(INSERT_IMAGE_COMMAND, image);
      } else
        setFailure(
          toApiError(result.error).status > 0 ? messages.imageFailed : messages.imageError,
        );
    };
    const store = async (key: NodeKey) => {
      const src = editor.read(() => $inlineSource(key));
      const file = src === null ? null : fileOf(src);
      if (src === null || file === null) return;
      const result = await upload({ imageForm: { image: file, ideaId: ideaId ?? null } });
      const stored = (result.data && parseImageUrl(result.data.url)) ?? null;
      // When the server cannot be reached, the image stays in the text as it is.
      if (stored === null && mayStayInline(src)) return;
      editor.update(() => $replaceSource(key, src, stored), { tag: HISTORY_MERGE_TAG });
      if (stored === null) {
        setFailure(
          toApiError(result.error).status > 0 ? messages.imageFailed : messages.imageError,
        );
      }
    };
    const countEach = async <T,>(items: readonly T[], run: (item: T) => Promise<void>) => {
      session.countUploads(items.length);
      for (const item of items) {
        await run(item);
        session.countUploads(-1);
      }
    };
    return mergeRegister(
      editor.registerCommand(
        UPLOAD_IMAGES_COMMAND,
        (files) => {
          void countEach(files, insert);
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(
        UPLOAD_INLINE_IMAGES_COMMAND,
        (keys) => {
          // After the update that inserted them.
          queueMicrotask(() => void countEach(keys, store));
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
    );
  }, [editor, upload, session, ideaId]);

  useIdleLoad(NoticeDialog.load);
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

/** Derives an initial description, which the author can improve under the image. */
function describe(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]+$/i, "")
    .replace(/[-_]+/g, " ")
    .trim();
}

/** Returns the data of an image that was not uploaded yet, or null. */
function $inlineSource(key: NodeKey): string | null {
  const node = $getNodeByKey(key);
  const src = $isImageNode(node) ? node.$getImage().src : "";
  return src.startsWith("data:") ? src : null;
}

/** Replaces the data with the stored address; without one, removes the image. */
function $replaceSource(key: NodeKey, src: string, stored: string | null): void {
  const node = $getNodeByKey(key);
  if (!$isImageNode(node) || $inlineSource(key) !== src) return;
  if (stored === null) node.remove();
  else node.$setSource(stored);
}

/** Decodes a `data:` URL into a file; null when it is invalid. */
function fileOf(src: string): File | null {
  const [head, type, extension] = /^data:(image\/(\w+));base64,/.exec(src) ?? [];
  if (head === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(src.slice(head.length)), (c) => c.charCodeAt(0));
    return new File([bytes], `picture.${extension}`, { type: type ?? "" });
  } catch {
    return null;
  }
}

async function measure(file: File): Promise<{ width: number; height: number }> {
  try {
    const { width, height } = await createImageBitmap(file);
    return { width, height };
  } catch {
    // Not decodable here: the page then uses the size of the loaded image.
    return { width: 0, height: 0 };
  }
}
