import { Suspense, useState } from "react";
import { useGetIdeaRevisionQuery } from "@/api/enhanced";
import type { Revision, RevisionContent } from "@/api/generated";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { formatDateTimeSeconds } from "@/ui/dates";
import { inputStyles } from "@/ui/form/FieldShell";
import { LoadFailure } from "@/ui/LoadFailure";
import { lazyComponent } from "@/ui/lazyComponent";
import { plainText } from "../comparison/compare";
import { ViewButton } from "../comparison/ViewButton";
import { WordChanges } from "../comparison/WordChanges";
import { messages } from "./messages";
import { useRestoreRevision } from "./restoreRevision";

const HtmlText = lazyComponent(() => import("@/content/HtmlContent"), "HtmlText");

interface RevisionWindowProps {
  ideaId: number;
  /** The opened revision. */
  number: number;
  /** All revisions of the idea, newest first. */
  revisions: readonly Revision[];
  onClose: () => void;
}

/** One revision of an idea: its text, its changes, and a button to restore it. */
export function RevisionWindow({ ideaId, number, revisions, onClose }: RevisionWindowProps) {
  const opened = useGetIdeaRevisionQuery({ id: ideaId, number });
  const [view, setView] = useState<"text" | "changes">("text");
  const restoreRevision = useRestoreRevision();
  const [isSure, setSure] = useState(false);
  const current = revisions[0]?.revision;
  const { data } = opened;
  const html = typeof data?.content === "string" ? data.content : null;

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Version ${number}`}
      description={
        data && (
          <>
            {data.title} ·{" "}
            <time dateTime={data.createdAt}>{formatDateTimeSeconds(data.createdAt)}</time>
          </>
        )
      }
      className="max-w-3xl!"
    >
      <div className="mt-4 flex flex-wrap gap-2">
        <ViewButton isOn={view === "text"} onClick={() => setView("text")}>
          Text
        </ViewButton>
        <ViewButton isOn={view === "changes"} onClick={() => setView("changes")}>
          Changes
        </ViewButton>
      </div>
      <div className="mt-4 max-h-[50dvh] min-h-40 overflow-y-auto rounded-md border border-line">
        {opened.isError && (
          <LoadFailure
            text={messages.revisions.openFailed}
            busy={opened.isFetching}
            onRetry={opened.refetch}
          />
        )}
        {data?.content === null && <p className="p-4 text-muted">{messages.revisions.gone}</p>}
        {data && data.content !== null && view === "text" && <Text content={data.content} />}
        {data && data.content !== null && view === "changes" && (
          <Changes ideaId={ideaId} opened={data} revisions={revisions} />
        )}
      </div>
      {restoreRevision && html !== null && data && number !== current && (
        <div className="mt-5">
          {isSure ? (
            <>
              <p className="text-sm">{messages.revisions.restoreQuestion}</p>
              <div className="mt-3 flex flex-wrap gap-2">
                <Button
                  // The pressed button is removed; on phones this one may be out of view.
                  autoFocus
                  onClick={() => {
                    onClose();
                    restoreRevision(data.title, html);
                  }}
                >
                  Restore and save
                </Button>
                <Button variant="ghost" onClick={() => setSure(false)}>
                  Cancel
                </Button>
              </div>
            </>
          ) : (
            <Button variant="secondary" onClick={() => setSure(true)}>
              Restore this version
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Text({ content }: { content: NonNullable<RevisionContent["content"]> }) {
  if (typeof content === "string") {
    return (
      <div className="prose-page px-5 py-6">
        <Suspense fallback={null}>
          <HtmlText html={content} />
        </Suspense>
      </div>
    );
  }
  return <pre className="wrap-anywhere whitespace-pre-wrap p-4 text-sm">{plainText(content)}</pre>;
}

interface ChangesProps {
  ideaId: number;
  opened: RevisionContent;
  revisions: readonly Revision[];
}

/** Words removed and added between the opened revision and another one. */
function Changes({ ideaId, opened, revisions }: ChangesProps) {
  const others = revisions.filter(({ kept, revision }) => kept && revision !== opened.revision);
  const [chosen, setChosen] = useState(others[0]?.revision);
  const other = useGetIdeaRevisionQuery(
    { id: ideaId, number: chosen ?? 0 },
    { skip: chosen === undefined },
  );
  const versions =
    other.data &&
    other.data.content !== null &&
    [opened, other.data].sort((a, b) => a.revision - b.revision);
  const [from = "", to = ""] = (versions || []).map(({ content }) => plainText(content));

  if (chosen === undefined) return <p className="p-4 text-muted">{messages.revisions.alone}</p>;
  return (
    <div className="p-4">
      <label className="flex flex-wrap items-center gap-2 text-sm">
        Compare with
        <select
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
          className={`${inputStyles} w-auto read-only:bg-surface`}
        >
          {others.map(({ revision, createdAt }) => (
            <option key={revision} value={revision}>
              Version {revision}, {formatDateTimeSeconds(createdAt)}
            </option>
          ))}
        </select>
      </label>
      {other.isError && (
        <LoadFailure
          text={messages.revisions.openFailed}
          busy={other.isFetching}
          onRetry={other.refetch}
        />
      )}
      {versions && (
        <div className="mt-4">
          <WordChanges from={from} to={to} />
        </div>
      )}
    </div>
  );
}
