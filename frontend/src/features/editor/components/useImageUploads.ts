import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { $dfs } from "@lexical/utils";
import {
  $getNodeByKey,
  COMMAND_PRIORITY_EDITOR,
  HISTORIC_TAG,
  HISTORY_MERGE_TAG,
  type LexicalEditor,
  mergeRegister,
  type NodeKey,
  PASTE_TAG,
  SKIP_DOM_SELECTION_TAG,
} from "lexical";
import { useLayoutEffect, useRef, useState } from "react";
import { type CallFailure, toApiError } from "@/api/baseApi";
import { useUploadImageMutation } from "@/api/enhanced";
import { REFUSED_ON_THE_WAY } from "@/api/http";
import { requestKeys } from "@/api/requestKeys";
import { INSERT_IMAGE_COMMAND, UPLOAD_IMAGES_COMMAND } from "../extensions/media";
import { mayStayInline } from "../html/media";
import { parseImageUrl } from "../html/urls";
import { messages } from "../messages";
import { $isImageNode, ImageNode } from "../nodes/imageNode";
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
  const idea = useRef(ideaId);
  useLayoutEffect(() => {
    idea.current = ideaId;
  }, [ideaId]);

  useLayoutEffect(() => {
    const keys = requestKeys();
    /** Sends an image; one that is sent again, because nobody knows whether it arrived, is one. */
    const send = async (image: File, ...request: unknown[]) => {
      const imageForm = { image, ideaId: idea.current ?? null };
      const result = await upload({ imageForm, "Idempotency-Key": keys.of(...request) });
      keys.settle(result.error && toApiError(result.error));
      return result;
    };
    const insert = async (file: File) => {
      const size = measure(file);
      const result = await send(file, file.name, file.size, file.lastModified);
      const src = result.data && parseImageUrl(result.data.url);
      if (src) {
        const image = { src, alt: describe(file.name), ...(await size) };
        editor.update(() => void editor.dispatchCommand(INSERT_IMAGE_COMMAND, image), {
          tag: focusTags(editor),
        });
      } else setFailure(reason(result.error));
    };
    /** Stored addresses, and what is in the queue or being uploaded, by `data:` URL. */
    const addresses = new Map<string, string>();
    const running = new Set<string>();
    /** Images that were in the text when it was opened: they stay as they are. */
    const opened = new Set<string>();
    const store = async (src: string) => {
      const file = editor.read(() => $imagesWith(src)).length > 0 ? fileOf(src) : null;
      if (file === null) return;
      let address = addresses.get(src) ?? null;
      if (address === null) {
        const result = await send(file, src);
        address = (result.data && parseImageUrl(result.data.url)) ?? null;
        if (address !== null) addresses.set(src, address);
        // When the server cannot be reached, the image stays in the text as it is.
        else if (mayStayInline(src)) return;
        else setFailure(reason(result.error));
      }
      editor.update(() => $replaceSource(src, address), {
        tag: [HISTORY_MERGE_TAG, ...focusTags(editor)],
      });
    };
    const storeAll = (keys: readonly NodeKey[]) => {
      const sources = editor
        .read(() => keys.map($inlineSource))
        .filter((src) => src !== null)
        .filter((src) => !running.has(src) && !opened.has(src));
      for (const src of sources) running.add(src);
      void countEach([...new Set(sources)], (src) => store(src).finally(() => running.delete(src)));
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
          const images = files.filter(({ type }) => type.startsWith("image/"));
          if (images.length < files.length) setFailure(messages.imagesOnly);
          void countEach(images, insert);
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
      // Undo and the editor's own clipboard bring back images from before their upload.
      editor.registerMutationListener(ImageNode, (mutations, { updateTags }) => {
        const keys = [...mutations].filter(([, kind]) => kind !== "destroyed").map(([key]) => key);
        if (!updateTags.has(PASTE_TAG) && !updateTags.has(HISTORIC_TAG)) {
          const state = editor.getEditorState();
          const sources = state.read(() => keys.map($inlineSource)).filter((src) => src !== null);
          for (const src of sources) if (!running.has(src)) opened.add(src);
          return;
        }
        // After the update that inserted them.
        if (keys.length > 0) queueMicrotask(() => storeAll(keys));
      }),
    );
  }, [editor, upload, session]);

  return { failure, clearFailure: () => setFailure(null) };
}

/**
 * Returns the tags that keep the focus in the title, say, where the author goes on typing during an
 * upload: an update that moves the selection would also move the focus into the text.
 */
const focusTags = (editor: LexicalEditor): string[] =>
  document.activeElement === editor.getRootElement() ? [] : [SKIP_DOM_SELECTION_TAG];

/** Returns the text for a refused upload, or for one without a response. */
function reason(error: CallFailure | undefined): string {
  const { status, detail } = error ? toApiError(error) : { status: 0, detail: null };
  if (detail === REFUSED_ON_THE_WAY) return detail;
  return status > 0 ? messages.imageFailed : messages.imageError;
}

/** Returns the data of an image that was not uploaded yet, or null. */
function $inlineSource(key: NodeKey): string | null {
  const node = $getNodeByKey(key);
  const src = $isImageNode(node) ? node.$getImage().src : "";
  return src.startsWith("data:") ? src : null;
}

/** Returns the images with this address; a paste can repeat one. */
const $imagesWith = (src: string): ImageNode[] =>
  $dfs()
    .map(({ node }) => node)
    .filter($isImageNode)
    .filter((image) => image.$getImage().src === src);

/** Replaces the data with the stored address; without one, removes the image. */
function $replaceSource(src: string, stored: string | null): void {
  for (const image of $imagesWith(src)) {
    if (stored === null) image.remove();
    else image.$setSource(stored);
  }
}
