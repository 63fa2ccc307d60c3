import { useListIdeaRevisionsQuery } from "@/api/enhanced";
import { formatDateTimeSeconds } from "@/ui/dates";
import { messages } from "./messages";
import { RecordHash } from "./RecordHash";
import { RecordList } from "./RecordList";

/** Every saved state of the idea, newest first, with what proves it. */
export function Revisions({ ideaId }: { ideaId: number }) {
  const query = useListIdeaRevisionsQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <RecordList
      query={query}
      failedText={messages.revisions.failed}
      emptyText={messages.revisions.empty}
      keyOf={({ revision }) => String(revision)}
    >
      {({ revision, title, createdAt, sha256 }) => (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <div className="min-w-0">
            <p className="font-semibold">
              Revision {revision} <span className="font-normal">{title}</span>
            </p>
            <p className="text-muted">
              <time dateTime={createdAt}>{formatDateTimeSeconds(createdAt)}</time>
            </p>
          </div>
          <RecordHash value={sha256} of={`revision ${revision}`} />
        </div>
      )}
    </RecordList>
  );
}
