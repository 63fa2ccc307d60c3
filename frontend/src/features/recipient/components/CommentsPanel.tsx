import { MessageSquare } from "lucide-react";
import { useEffect } from "react";
import { useAppDispatch, useAppSelector } from "@/app/hooks";
import { CommentForm } from "@/sharing/CommentForm";
import { EmptyState } from "@/ui/EmptyState";
import { addComment, loadComments } from "../comments";
import { selectComments } from "../commentsSlice";
import { commentAge } from "../time";
import { useNow } from "../useNow";

const AGES_CHANGE_MS = 30_000;

/** Spec section 2, comments: beside the document on large screens, below it on small ones. */
export function CommentsPanel({ token, ideaId }: { token: string; ideaId: number }) {
  const dispatch = useAppDispatch();
  const comments = useAppSelector(selectComments);
  const now = useNow(AGES_CHANGE_MS);

  useEffect(() => {
    dispatch(loadComments(token, ideaId));
  }, [dispatch, token, ideaId]);

  return (
    <aside
      aria-labelledby="comments-heading"
      className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-5 shadow-soft lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] print:hidden"
    >
      <h2 id="comments-heading" className="mb-4 font-semibold font-serif text-xl">
        Comments
        {comments.length > 0 && (
          <span className="ml-2 font-normal font-sans text-base text-muted">{comments.length}</span>
        )}
      </h2>
      {comments.length === 0 ? (
        <EmptyState icon={<MessageSquare className="size-6" />} title="No comments yet" />
      ) : (
        <ul className="-mx-5 flex min-h-24 flex-col gap-4 px-5 lg:overflow-y-auto" {...scrolling}>
          {comments.map(({ id, author, content, createdAt }) => (
            <li key={id}>
              <p className="wrap-anywhere flex flex-wrap items-baseline gap-x-2 text-sm">
                <span className="min-w-0 font-semibold">{author}</span>
                <time dateTime={createdAt} className="text-muted">
                  {commentAge(createdAt, now)}
                </time>
              </p>
              <p dir="auto" className="wrap-anywhere mt-0.5 whitespace-pre-wrap">
                {content}
              </p>
            </li>
          ))}
        </ul>
      )}
      <CommentForm
        label="Add a comment"
        subject={token}
        send={(text) => dispatch(addComment(token, ideaId, text))}
      />
    </aside>
  );
}

/** A list that scrolls needs a tab stop for the keyboard (WCAG 2.1.1). */
const scrolling = { tabIndex: 0 };
