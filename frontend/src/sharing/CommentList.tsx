import type { Comment } from "@/api/generated";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";

/** What was written about an idea, as its owner sees it: with exact times. */
export function CommentList({ comments }: { comments: readonly Comment[] }) {
  if (comments.length === 0) return <EmptyState title="No comments yet" />;
  return (
    <ul className="flex flex-col gap-5">
      {comments.map(({ id, author, recipientId, content, createdAt }) => (
        <li key={id} className="wrap-anywhere text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold">{author}</span>
            {recipientId === null && <span className="text-muted">(you)</span>}
            <time dateTime={createdAt} className="text-muted">
              {formatDateTime(createdAt)}
            </time>
          </p>
          <p dir="auto" className="mt-1 whitespace-pre-wrap">
            {content}
          </p>
        </li>
      ))}
    </ul>
  );
}
