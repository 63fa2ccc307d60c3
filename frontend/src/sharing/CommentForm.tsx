import { Send } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useAppDispatch, useAppSelector } from "@/app/hooks";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { TextArea } from "@/ui/form/TextArea";
import { errorToast } from "@/ui/toast/toastSlice";
import { commentSent, commentTyped } from "./commentDraftsSlice";

/** The server's limit, in characters as it counts them (design section 4). */
const LIMIT = 5000;
/** Spec section 8, add comment failure. */
const FAILED = "Failed to add comment. Please try again.";

interface CommentFormProps {
  label: string;
  /** Under which the text is kept while the form is away. */
  subject: string;
  /** Sends the trimmed text; resolves to whether the server took it. */
  send: (text: string) => Promise<boolean>;
}

/** Writes a comment; what was typed stays until the server has it. */
export function CommentForm({ label, subject, send }: CommentFormProps) {
  const dispatch = useAppDispatch();
  const text = useAppSelector((state) => state.commentDrafts.texts[subject] ?? "");
  const [sending, setSending] = useState(false);
  const [failed, setFailed] = useState(false);

  const count = [...text].length;
  const tooLong = count > LIMIT;
  const blank = text.trim() === "";

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending || blank || tooLong) return;
    setSending(true);
    setFailed(false);
    const accepted = await send(text.trim());
    setSending(false);
    setFailed(!accepted);
    if (accepted) dispatch(commentSent({ subject, text }));
    else dispatch(errorToast(FAILED));
  };

  return (
    <form onSubmit={submit} className="mt-5 flex flex-col gap-3 border-line border-t pt-4">
      {failed && <Alert>{FAILED}</Alert>}
      <TextArea
        label={label}
        rows={3}
        value={text}
        readOnly={sending}
        onChange={(event) => dispatch(commentTyped({ subject, text: event.target.value }))}
        error={tooLong ? `Please use at most ${LIMIT} characters` : undefined}
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-muted text-sm tabular-nums">
          {count} / {LIMIT}
          <span className="sr-only"> characters</span>
        </p>
        <Button type="submit" size="sm" busy={sending} disabled={blank || tooLong}>
          {!sending && <Send className="size-4" aria-hidden="true" />}
          Send
        </Button>
      </div>
    </form>
  );
}
