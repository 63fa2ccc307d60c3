import { useMemo, useRef, useState } from "react";
import type { Comment } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { focusOnMount } from "@/ui/focusOnMount";
import { CommentEntry } from "./CommentEntry";
import type { CommentActions } from "./commentActions";
import { countOf, earlierThreads, threadsOf } from "./threads";

interface CommentThreadsProps {
  comments: readonly Comment[];
  /**
   * Prefix of the keys under which drafts of replies and edits are kept while their form is
   * unmounted.
   */
  subject: string;
  isOwn: (comment: Comment) => boolean;
  formatTime: (at: string) => string;
  actions: CommentActions;
}

const WITHDRAW_FAILED = "Failed to withdraw comment. Please try again.";

/** Comment threads, with forms for replies and edits in place. Of many, the latest at first. */
export function CommentThreads({ comments, actions, ...entry }: CommentThreadsProps) {
  const dispatch = useAppDispatch();
  const threads = useMemo(() => threadsOf(comments), [comments]);
  const [hidden] = useState(() => earlierThreads(threads, comments));
  const [isWhole, setIsWhole] = useState(false);
  // A shown thread stays, and a new reply brings it back.
  const earlier = isWhole
    ? []
    : threads.slice(0, Math.min(hidden, earlierThreads(threads, comments)));
  const [asking, setAsking] = useState<Comment | null>(null);
  const [withdrawing, setWithdrawing] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  /** Takes the focus after its comment was withdrawn, and has no buttons any more. */
  const withdrawn = useRef<HTMLElement>(null);

  const withdraw = async () => {
    if (!asking) return;
    setWithdrawing(true);
    const answer = await actions.withdraw(asking.id);
    setWithdrawing(false);
    const entry = list.current?.querySelector<HTMLElement>(`[data-comment="${asking.id}"]`);
    withdrawn.current = (answer === true && entry) || null;
    setAsking(null);
    if (answer !== true && answer !== null) dispatch(errorToast(answer || WITHDRAW_FAILED));
  };

  const show = (comment: Comment) => (
    <CommentEntry {...entry} comment={comment} actions={actions} onWithdraw={setAsking} />
  );
  return (
    <>
      {earlier.length > 0 && (
        <Button
          variant="secondary"
          size="sm"
          className="mb-5 w-full"
          onClick={() => setIsWhole(true)}
        >
          Show earlier comments ({countOf(earlier)})
        </Button>
      )}
      <ul ref={list} className="flex flex-col gap-5">
        {threads.slice(earlier.length).map(({ first, answers }, index) => (
          <li
            key={first.id}
            data-comment={first.id}
            tabIndex={-1}
            className="wrap-anywhere outline-none"
            // The button that had the focus gives way to it.
            {...(isWhole && index === 0 && { ref: focusOnMount })}
          >
            {show(first)}
            {answers.length > 0 && (
              <ul
                aria-label={`Replies to ${first.author}`}
                className="mt-3 flex flex-col gap-3 border-line border-l-2 pl-4"
              >
                {answers.map((answer) => (
                  <li
                    key={answer.id}
                    data-comment={answer.id}
                    tabIndex={-1}
                    className="outline-none"
                  >
                    {show(answer)}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title="Withdraw this comment?"
        description="Its text is deleted for everybody. Readers will still see that you withdrew a comment."
        confirmLabel="Withdraw"
        cancelLabel="Keep it"
        danger
        busy={withdrawing}
        onConfirm={withdraw}
        focusAfterConfirm={withdrawn}
      />
    </>
  );
}
