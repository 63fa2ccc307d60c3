import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import {
  $getNodeByKey,
  COMMAND_PRIORITY_EDITOR,
  HISTORY_MERGE_TAG,
  type LexicalEditor,
  mergeRegister,
  type NodeKey,
  SKIP_DOM_SELECTION_TAG,
} from "lexical";
import { useLayoutEffect, useState } from "react";
import { type CallFailure, toApiError } from "@/api/baseApi";
import { useUploadImageMutation } from "@/api/enhanced";
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
import { describe, fileOf, measure } from "./imageFiles";

/**
 * Uploads images one after the other: files, which are inserted at the caret, and pasted ones,
 * which are in the text as `data:` URLs until the upload is done. Returns the last failure, and a
 * function that clears it.
 */
export function useImageUploads(session: DocumentSession, ideaId: number | undefined) {
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
        editor.update(() => void editor.dispatchCommand(INSERT_IMAGE_COMMAND, image), {
          tag: focusTags(editor),
        });
      } else setFailure(reason(result.error));
    };
    const store = async (key: NodeKey) => {
      const src = editor.read(() => $inlineSource(key));
      const file = src === null ? null : fileOf(src);
      if (src === null || file === null) return;
      const result = await upload({ imageForm: { image: file, ideaId: ideaId ?? null } });
      const stored = (result.data && parseImageUrl(result.data.url)) ?? null;
      // When the server cannot be reached, the image stays in the text as it is.
      if (stored === null && mayStayInline(src)) return;
      editor.update(() => $replaceSource(key, src, stored), {
        tag: [HISTORY_MERGE_TAG, ...focusTags(editor)],
      });
      if (stored === null) setFailure(reason(result.error));
    };
    const countEach = async <T>(items: readonly T[], run: (item: T) => Promise<void>) => {
      session.changeUploadCount(items.length);
      for (const item of items) {
        try {
          await run(item);
        } catch {
          setFailure(messages.imageFailed);
        } finally {
          session.changeUploadCount(-1);
        }
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

  return { failure, clearFailure: () => setFailure(null) };
}

/**
 * Returns the tags that keep the focus in the title, say, where the author goes on typing during an
 * upload: an update that moves the selection would also move the focus into the text.
 */
const focusTags = (editor: LexicalEditor): string[] =>
  document.activeElement === editor.getRootElement() ? [] : [SKIP_DOM_SELECTION_TAG];

/** Returns the text for a refused upload, or for one without a response. */
const reason = (error: CallFailure | undefined): string =>
  error && toApiError(error).status > 0 ? messages.imageFailed : messages.imageError;

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
