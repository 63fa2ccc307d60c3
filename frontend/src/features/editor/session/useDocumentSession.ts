import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import {
  api,
  useCreateIdeaMutation,
  usePublishIdeaMutation,
  useUpdateIdeaMutation,
} from "@/api/enhanced";
import type { Idea } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast, toastShown } from "@/store/toastSlice";
import { useIsMounted } from "@/ui/useIsMounted";
import { messages } from "../messages";
import { asAuthor, toCallResult } from "./asAuthor";
import { copyCalls } from "./copyCalls";
import type { DocumentAdapter } from "./documentAdapter";
import { DocumentSession } from "./documentSession";
import type { SessionView } from "./sessionView";

/** An editing session for the screen: its view, and its actions with their toasts. */
interface SessionHandle {
  readonly session: DocumentSession;
  readonly view: SessionView;
  /** Saves; resolves to false when the idea was not saved. */
  save(): Promise<boolean>;
  /** Publishes; the caller has asked for confirmation. */
  publish(): Promise<void>;
  /**
   * Saves the text as a new idea and resolves to it; null when that failed or the screen has
   * unmounted.
   */
  saveAsNew(): Promise<Idea | null>;
  /** Whether publishing is possible now; shows why when it is not. */
  mayPublish(): boolean;
}

interface Options {
  /** Read once: a session keeps its first adapter. */
  readonly adapter: DocumentAdapter;
  readonly idea: Idea | null;
  readonly userId: string;
  /** Called after this screen, while still mounted, has created an idea. */
  readonly onCreated?: ((idea: Idea) => void) | undefined;
  /** Called when the idea turns out to be published with another text. */
  readonly onReplaced: (other: Idea) => void;
}

/** Creates one editing session for the lifetime of the screen. */
export function useDocumentSession(options: Options): SessionHandle {
  const { adapter, idea, userId, onCreated, onReplaced } = options;
  const dispatch = useAppDispatch();
  const [create] = useCreateIdeaMutation();
  const [update] = useUpdateIdeaMutation();
  const [publishIdea] = usePublishIdeaMutation();
  const [session] = useState(
    () =>
      new DocumentSession({
        adapter,
        userId,
        idea,
        copyCalls: copyCalls(userId),
        calls: {
          create: (ideaBody, key) =>
            asAuthor(userId, () => create({ ideaBody, "Idempotency-Key": key }).unwrap()),
          update: (id, ideaUpdateBody) =>
            asAuthor(userId, () => update({ id, ideaUpdateBody }).unwrap()),
          load: (id) => {
            const options = { forceRefetch: true, subscribe: false };
            return toCallResult(dispatch(api.endpoints.getIdea.initiate({ id }, options)).unwrap());
          },
          publish: (id, base) =>
            asAuthor(userId, () => publishIdea({ id, baseRevision: base ?? undefined }).unwrap()),
        },
      }),
  );
  const isMounted = useIsMounted();
  const view = useSyncExternalStore(session.subscribe, session.getView);
  useLayoutEffect(() => session.connect(), [session]);

  /** No toast where the page shows the reason itself: at the title, or in the conflict dialog. */
  const showNotSaved = (text: string) => {
    const { titleError, conflict } = session.getView();
    if (titleError === null && conflict === null) dispatch(errorToast(text));
  };

  const save = async () => {
    const isNew = session.getView().idea === null;
    const saved = await session.save();
    const { idea } = session.getView();
    if (isNew && idea !== null && isMounted()) onCreated?.(idea);
    if (saved === null) {
      showNotSaved(isNew ? messages.createFailed : messages.updateFailed);
      return false;
    }
    const text = isNew ? messages.created : messages.updated;
    dispatch(successToast(saved.status === "published" ? messages.publishedNow : text));
    return true;
  };

  const showInfo = (description: string) => dispatch(toastShown({ title: "Info", description }));

  const mayPublish = () => {
    const { idea: saved, uploads } = session.getView();
    if (saved === null) showInfo(messages.saveFirst);
    else if (uploads > 0) showInfo(messages.uploading);
    else return session.requireTitle();
    return false;
  };

  const publish = async () => {
    const outcome = await session.publish();
    if (outcome === "published") dispatch(successToast(messages.publishedNow));
    else if (outcome === "uploading") showInfo(messages.uploading);
    else if (outcome === "failed") showNotSaved(messages.publishFailed);
    else if (outcome === "not-saved") showNotSaved(messages.updateFailed);
    else if (isMounted()) onReplaced(outcome);
  };

  const saveAsNew = async () => {
    if (session.getView().isCopying) return null;
    const saved = await session.saveAsNew();
    if (saved === null) showNotSaved(messages.createFailed);
    else dispatch(successToast(messages.created));
    return isMounted() ? saved : null;
  };

  return { session, view, save, publish, saveAsNew, mayPublish };
}
