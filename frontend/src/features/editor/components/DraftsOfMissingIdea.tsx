import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useCreateIdeaMutation } from "@/api/enhanced";
import { paths } from "@/routing/paths";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { useIsMounted } from "@/ui/useIsMounted";
import { messages } from "../messages";
import { asAuthor } from "../session/asAuthor";
import { Copies } from "../session/copies";
import { type Draft, draftKey, readDrafts, removeDraft } from "../session/drafts";
import { DiscardDialog } from "./DiscardDialog";
import { DraftNotice } from "./DraftNotice";
import { fallbackTarget } from "./focusFallback";

/** Offers the drafts of an idea that the server does not have, one after the other. */
export function DraftsOfMissingIdea({ ideaId }: { ideaId: number }) {
  // Also once somebody else is signed in, these are the author's.
  const [userId] = useState(useAppSelector(selectCurrentUser)?.id ?? "");
  const key = draftKey(userId, ideaId);
  const [drafts, setDrafts] = useState(() => readDrafts(key));
  const [create] = useCreateIdeaMutation();
  const [copies] = useState(
    () =>
      new Copies({
        create: (ideaBody, idempotencyKey) =>
          asAuthor(userId, () => create({ ideaBody, "Idempotency-Key": idempotencyKey }).unwrap()),
      }),
  );
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const [isSaving, setSaving] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const focusAfterwards = useRef<HTMLElement>(null);
  const [draft] = drafts;
  if (draft === undefined) return null;

  const remove = ({ session }: Draft) => {
    removeDraft(key, session);
    const left = readDrafts(key);
    setDrafts(left);
    return left;
  };
  const save = async () => {
    setSaving(true);
    const result = await copies.create({
      // A blank title must not keep the text from being saved.
      title: draft.title.trim() || messages.defaultTitle,
      content: draft.html,
      session: draft.session,
    });
    setSaving(false);
    if ("error" in result) {
      dispatch(errorToast(messages.createFailed));
      return;
    }
    dispatch(successToast(messages.created));
    // Nothing leads back to this screen, so that it stays until every draft is decided on.
    if (remove(draft).length === 0 && isMounted()) navigate(paths.editor(result.idea.id));
  };
  const discard = () => {
    setAsking(false);
    focusAfterwards.current = remove(draft).length === 0 ? fallbackTarget() : null;
  };
  return (
    <>
      <DraftNotice draft={draft}>
        <Button variant="secondary" size="sm" busy={isSaving} onClick={save}>
          Save as a new idea
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
          Discard
        </Button>
      </DraftNotice>
      <DiscardDialog
        open={isAsking}
        onOpenChange={setAsking}
        onConfirm={discard}
        focusAfterConfirm={focusAfterwards}
      />
    </>
  );
}
