import { useListCommentsQuery } from "@/api/enhanced";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";
import { messages } from "../messages";
import { ListPanel } from "./ListPanel";

/** What recipients wrote about the idea, oldest first. */
export function CommentsSection({ ideaId }: { ideaId: number }) {
  const comments = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListPanel title="Comments" query={comments} failedText={messages.commentsFailed}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title="No comments yet" />
        ) : (
          <ul className="flex flex-col gap-5">
            {rows.map((comment) => (
              <li key={comment.id} className="text-sm">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-semibold">{comment.author}</span>
                  <time dateTime={comment.createdAt} className="text-muted">
                    {formatDateTime(comment.createdAt)}
                  </time>
                </p>
                <p className="mt-1 whitespace-pre-wrap">{comment.content}</p>
              </li>
            ))}
          </ul>
        )
      }
    </ListPanel>
  );
}
