import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import {
  api,
  useCreateIdeaMutation,
  usePublishIdeaMutation,
  useUpdateIdeaMutation,
} from "@/api/enhanced";
import type { Idea } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { useAppDispatch } from "@/app/hooks";
import { errorToast, successToast, toastShown } from "@/ui/toast/toastSlice";
import { useIsShown } from "@/ui/useIsShown";
import { messages } from "../messages";
import type { CallResult } from "./calls";
import { DocumentSession } from "./documentSession";
import type { SessionView } from "./sessionView";
import type { Surface } from "./surface";

/** A session with its view, and its actions as the screen offers them: with their toasts. */
export interface SessionHandle {
  readonly session: DocumentSession;
  readonly view: SessionView;
  /** Saves; resolves to false when there is something for the person to mend. */
  save(): Promise<boolean>;
  /** Publishes after a confirmation; says so when the idea was never saved. */
  publish(): Promise<void>;
  /** Saves the text as an idea of its own; resolves to that, unless it failed or nobody waits. */
  saveAsNew(): Promise<Idea | null>;
  /** Whether publishing may be asked about; tells the person when it may not. */
  mayPublish(): boolean;
}

interface Options {
  /** Read once: a session keeps the surface it began with. */
  readonly surface: Surface;
  readonly idea: Idea | null;
  readonly userId: string;
  /** Called with an idea that this screen, still shown, has just created. */
  readonly onCreated?: ((idea: Idea) => void) | undefined;
  /** Called with the idea when it turns out to be published, with another text than this one. */
  readonly onReplaced: (other: Idea) => void;
}

/** One editing session for as long as the screen lives. */
export function useDocumentSession(options: Options): SessionHandle {
  const { surface, idea, userId, onCreated, onReplaced } = options;
  const dispatch = useAppDispatch();
  const [create] = useCreateIdeaMutation();
  const [update] = useUpdateIdeaMutation();
  const [publishIdea] = usePublishIdeaMutation();
  const [session] = useState(
    () =>
      new DocumentSession({
        surface,
        userId,
        idea,
        calls: {
          create: (ideaBody) => settled(create({ ideaBody }).unwrap()),
          update: (id, ideaUpdateBody) => settled(update({ id, ideaUpdateBody }).unwrap()),
          load: (id) => {
            const options = { forceRefetch: true, subscribe: false };
            return settled(dispatch(api.endpoints.getIdea.initiate({ id }, options)).unwrap());
          },
          publish: (id, base) =>
            settled(publishIdea({ id, baseRevision: base ?? undefined }).unwrap()),
        },
      }),
  );
  const isShown = useIsShown();
  const view = useSyncExternalStore(session.subscribe, session.getView);
  useLayoutEffect(() => session.connect(), [session]);

  /** Unless the page says it better: beside the title, or in a dialog that asks what to do. */
  const sayNotSaved = (text: string) => {
    const { titleError, conflict } = session.getView();
    if (titleError === null && conflict === null) dispatch(errorToast(text));
  };

  const save = async () => {
    const isNew = session.getView().idea === null;
    const saved = await session.save();
    if (saved === null) {
      sayNotSaved(isNew ? messages.createFailed : messages.updateFailed);
      return false;
    }
    dispatch(successToast(isNew ? messages.created : messages.updated));
    if (isNew && isShown()) onCreated?.(saved);
    return true;
  };

  const inform = (description: string) => dispatch(toastShown({ title: "Info", description }));

  const mayPublish = () => {
    const { idea: saved, uploads } = session.getView();
    if (saved === null) inform(messages.saveFirst);
    else if (uploads > 0) inform(messages.uploading);
    else return true;
    return false;
  };

  const publish = async () => {
    const outcome = await session.publish();
    if (outcome === "published") dispatch(successToast(messages.publishedNow));
    else if (outcome === "uploading") inform(messages.uploading);
    else if (outcome === "failed") sayNotSaved(messages.publishFailed);
    else if (outcome === "not-saved") sayNotSaved(messages.updateFailed);
    else if (isShown()) onReplaced(outcome);
  };

  const saveAsNew = async () => {
    if (session.getView().isCopying) return null;
    const saved = await session.saveAsNew();
    if (saved === null) sayNotSaved(messages.createFailed);
    else dispatch(successToast(messages.created));
    return isShown() ? saved : null;
  };

  return { session, view, save, publish, saveAsNew, mayPublish };
}

async function settled(call: Promise<Idea>): Promise<CallResult> {
  try {
    return { idea: await call };
  } catch (cause) {
    return { error: toApiError(cause) };
  }
}

function toApiError(cause: unknown): ApiError {
  const isApiError = typeof cause === "object" && cause !== null && "status" in cause;
  if (isApiError) return cause as ApiError;
  return { status: 0, message: `0: ${String(cause)}`, detail: null, field: null };
}
