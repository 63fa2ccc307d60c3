import { Suspense, useState } from "react";
import { useListIdeaRevisionsQuery } from "@/api/enhanced";
import { Button } from "@/ui/Button";
import { formatDateTimeSeconds } from "@/ui/dates";
import { lazyComponent } from "@/ui/lazyComponent";
import { messages } from "./messages";
import { RecordHash } from "./RecordHash";
import { RecordList } from "./RecordList";

const RevisionWindow = lazyComponent(() => import("./RevisionWindow"), "RevisionWindow");

/** Every revision of the idea, newest first, with its hash. */
export function Revisions({ ideaId }: { ideaId: number }) {
  const query = useListIdeaRevisionsQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <>
      <RecordList
        query={query}
        failedText={messages.revisions.failed}
        emptyText={messages.revisions.empty}
        keyOf={({ revision }) => String(revision)}
      >
        {({ revision, title, createdAt, sha256, kept }) => (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
            <div className="min-w-0">
              <p className="font-semibold">
                Version {revision} <span className="font-normal">{title}</span>
              </p>
              <p className="text-muted">
                <time dateTime={createdAt}>{formatDateTimeSeconds(createdAt)}</time>
              </p>
              {!kept && <p className="text-muted">{messages.revisions.gone}</p>}
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <RecordHash value={sha256} of={`version ${revision}`} />
              {kept && (
                <Button variant="ghost" size="sm" onClick={() => setOpened(revision)}>
                  Open <span className="sr-only">version {revision}</span>
                </Button>
              )}
            </div>
          </div>
        )}
      </RecordList>
      <Suspense fallback={null}>
        {opened !== null && query.data && (
          <RevisionWindow
            ideaId={ideaId}
            number={opened}
            revisions={query.data}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </>
  );
}
