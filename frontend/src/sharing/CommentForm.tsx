import { Send } from "lucide-react";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { commentSent, commentTyped } from "@/store/commentDraftsSlice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { useUnsavedWork } from "@/store/unsavedWork";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { TextArea } from "@/ui/form/TextArea";
import type { CommentOutcome } from "./commentActions";

/** The server's limit, in characters as it counts them (docs/rules.md#comments). */
const LIMIT = 5000;
/** Number of characters from which an edit shows the count. */
const NEAR_LIMIT = 4500;
/** Shown when a comment could not be added (docs/rules.md#ui-comments). */
const FAILED = "Failed to add comment. Please try again.";

interface CommentFormProps {
  label: string;
  /** Key under which the text is kept while the form is unmounted. */
  subject: string;
  /** The text to edit, if the form is for an existing comment. */
  initial?: string;
  submitLabel?: string;
  /** Sends the trimmed text. */
  send: (text: string) => Promise<CommentOutcome>;
  /** Closes the form: the text was accepted, or editing was cancelled. */
  onDone?: () => void;
  className?: string;
}

/** Hides the form for new comments while one is edited, in a container with `group/comments`. */
export const hiddenWhileEditing = "group-has-[[data-editing]]/comments:hidden";

/** Form for a comment; its text is kept until the server has accepted it. */
export function CommentForm({
  label,
  subject,
  initial,
  submitLabel = "Send",
  send,
  onDone,
  className,
}: CommentFormProps) {
  const dispatch = useAppDispatch();
  const text = useAppSelector((state) => state.commentDrafts.texts[subject] ?? initial ?? "");
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  // Without a text the button that has the focus is disabled, and would lose it.
  useEffect(() => {
    const { activeElement, body } = document;
    const isHere = activeElement === body || form.current?.contains(activeElement);
    if (sent > 0 && isHere) field.current?.focus();
  }, [sent]);

  const isEdit = initial !== undefined;
  const count = [...text].length;
  const tooLong = count > LIMIT;
  const blank = text.trim() === "";
  useUnsavedWork(!blank && text !== initial);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending || blank || tooLong) return;
    setSending(true);
    setFailure(null);
    const answer = await send(text.trim());
    setSending(false);
    if (answer === true) {
      dispatch(commentSent({ subject, text }));
      setSent((count) => count + 1);
      onDone?.();
    } else if (answer !== null) {
      setFailure(answer || FAILED);
      if (answer === false) dispatch(errorToast(FAILED));
    }
  };

  const cancel = () => {
    dispatch(commentSent({ subject, text }));
    onDone?.();
  };

  return (
    <form
      ref={form}
      onSubmit={submit}
      data-editing={isEdit || undefined}
      className={cx("flex flex-col gap-3", className)}
    >
      {failure && <Alert>{failure}</Alert>}
      <p role="status" className="sr-only">
        {sent > 0 && text === "" && "Comment sent"}
      </p>
      <TextArea
        ref={field}
        label={label}
        rows={3}
        value={text}
        readOnly={sending}
        autoFocus={onDone !== undefined}
        onChange={(event) => dispatch(commentTyped({ subject, text: event.target.value }))}
        error={tooLong ? `Please use at most ${LIMIT} characters` : undefined}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        {(!isEdit || count >= NEAR_LIMIT) && (
          <p className="text-muted text-sm tabular-nums">
            {count} / {LIMIT}
            <span className="sr-only"> characters</span>
          </p>
        )}
        <div className="ml-auto flex gap-2">
          {onDone && (
            <Button variant="ghost" size="sm" disabled={sending} onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" size="sm" busy={sending} disabled={blank || tooLong}>
            {!sending && !isEdit && <Send className="size-4" aria-hidden="true" />}
            {submitLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}
