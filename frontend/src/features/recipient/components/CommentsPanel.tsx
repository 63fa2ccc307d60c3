import { MessageSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "react-redux";
import { useListCommentsQuery } from "@/api/enhanced";
import { CommentForm, hiddenWhileEditing } from "@/sharing/CommentForm";
import { CommentThreads } from "@/sharing/CommentThreads";
import { useCommentActions } from "@/sharing/commentActions";
import { useAppDispatch } from "@/store/hooks";
import type { RootState } from "@/store/store";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { keepDrafts } from "../keepDrafts";
import { commentAge } from "../time";
import { useNow } from "../useNow";
import { changeRefused } from "../viewEnd";
import type { FoundShare } from "../visit";

const AGE_UPDATE_MS = 30_000;

/** Comments: beside the document on large screens, below it on small ones. */
export function CommentsPanel({ token, shared: { idea, recipient } }: FoundShare) {
  const dispatch = useAppDispatch();
  const store = useStore<RootState>();
  const { data: comments = [] } = useListCommentsQuery(
    { ideaId: idea.id },
    { refetchOnMountOrArgChange: true },
  );
  const actions = useCommentActions(
    idea.id,
    { recipientId: recipient?.id ?? null, author: recipient?.name ?? null },
    (error, action) => dispatch(changeRefused(token, error, action)),
  );
  const now = useNow(AGE_UPDATE_MS);
  const list = useRef<HTMLElement>(null);
  const [sent, setSent] = useState(0);

  useEffect(() => keepDrafts(store), [store]);

  // A new comment stands at the end of a list that may scroll.
  useEffect(() => {
    if (sent > 0 && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [sent]);

  const add = async (text: string) => {
    const answer = await actions.add(text);
    if (answer === true) setSent((count) => count + 1);
    return answer;
  };

  return (
    <aside
      id="comments"
      aria-labelledby="comments-heading"
      className="group/comments flex min-w-0 flex-col rounded-lg border border-line bg-surface p-5 shadow-soft lg:sticky lg:top-14 lg:max-h-[calc(100dvh-5rem)] print:hidden"
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
        <ScrollRegion
          ref={list}
          aria-labelledby="comments-heading"
          className="-mx-5 min-h-24 px-5 lg:overflow-y-auto"
        >
          <CommentThreads
            comments={comments}
            subject={token}
            isOwn={({ recipientId }) => recipientId !== null && recipientId === recipient?.id}
            formatTime={(at) => commentAge(at, now)}
            actions={actions}
          />
        </ScrollRegion>
      )}
      <CommentForm
        className={cx("mt-5 border-line border-t pt-4", hiddenWhileEditing)}
        label="Add a comment"
        subject={token}
        send={add}
      />
    </aside>
  );
}
