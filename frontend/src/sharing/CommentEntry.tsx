import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Comment } from "@/api/generated";
import { formatDateTime } from "@/ui/dates";
import { focusIfLost } from "@/ui/focusIfLost";
import { CommentForm } from "./CommentForm";
import { CommentText } from "./CommentText";
import type { CommentActions } from "./commentActions";
import { isEditable } from "./threads";

interface CommentEntryProps {
  comment: Comment;
  subject: string;
  isOwn: (comment: Comment) => boolean;
  formatTime: (at: string) => string;
  actions: CommentActions;
  onWithdraw: (comment: Comment) => void;
}

/** One comment with its actions. */
export function CommentEntry({
  comment,
  subject,
  isOwn,
  formatTime,
  actions,
  onWithdraw,
}: CommentEntryProps) {
  const [writing, setWriting] = useState<"answer" | "edit" | null>(null);
  const { id, author, recipientId, content, createdAt, editedAt, withdrawnAt } = comment;
  const own = isOwn(comment);
  const replyButton = useRef<HTMLButtonElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const done = () => {
    flushSync(() => setWriting(null));
    // Comments are editable for a while only.
    focusIfLost((writing === "edit" ? editButton.current : null) ?? replyButton.current);
  };
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="min-w-0 font-semibold">{author}</span>
        {own ? (
          <span className="text-muted">(you)</span>
        ) : (
          recipientId === null && <span className="text-muted">(owner)</span>
        )}
        <time dateTime={createdAt} className="text-muted">
          {formatTime(createdAt)}
        </time>
        {editedAt && !withdrawnAt && (
          <span className="text-muted" title={formatDateTime(editedAt)}>
            edited
          </span>
        )}
      </p>
      {withdrawnAt ? (
        <p className="mt-0.5 text-muted italic">Withdrawn by the author</p>
      ) : writing === "edit" ? (
        <CommentForm
          className="mt-2"
          label="Edit your comment"
          subject={`${subject} edit ${id}`}
          initial={content}
          submitLabel="Save"
          send={(text) => actions.edit(id, text)}
          onDone={done}
        />
      ) : (
        <>
          <CommentText text={content} />
          <p className="-ml-2 flex flex-wrap print:hidden">
            <Action
              ref={replyButton}
              label="Reply"
              about={`to ${author}`}
              onClick={() => setWriting("answer")}
            />
            {own && isEditable(comment, Date.now()) && (
              <Action
                ref={editButton}
                label="Edit"
                about="your comment"
                onClick={() => setWriting("edit")}
              />
            )}
            {own && (
              <Action label="Withdraw" about="your comment" onClick={() => onWithdraw(comment)} />
            )}
          </p>
        </>
      )}
      {writing === "answer" && (
        <CommentForm
          className="mt-2"
          label={`Reply to ${author}`}
          subject={`${subject} answer ${id}`}
          submitLabel="Reply"
          send={(text) => actions.answer(id, text)}
          onDone={done}
        />
      )}
    </>
  );
}

interface ActionProps {
  ref?: RefObject<HTMLButtonElement | null>;
  label: string;
  /** Accessible context of the buttons. */
  about: string;
  onClick: () => void;
}

function Action({ ref, label, about, onClick }: ActionProps) {
  return (
    <button
      ref={ref}
      type="button"
      onClick={onClick}
      className="min-h-11 rounded-md px-2 text-muted text-sm underline-offset-4 hover:text-ink hover:underline md:min-h-8"
    >
      {label} <span className="sr-only">{about}</span>
    </button>
  );
}
