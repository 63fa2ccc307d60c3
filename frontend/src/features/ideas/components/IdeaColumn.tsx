import type { RefObject } from "react";
import type { IdeaSummary } from "@/api/generated";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { messages } from "../messages";
import { Column } from "./Column";
import { IdeaCard } from "./IdeaCard";
import { Waiting } from "./Waiting";

interface IdeaColumnProps {
  title: string;
  emptyText: string;
  emptyHint: string;
  ideas: IdeaSummary[];
  loading: boolean;
  failed: boolean;
  retrying: boolean;
  onRetry: () => void;
  /** Stands below other columns on a narrow screen: it waits out of sight until they are known. */
  isLater?: boolean;
  headingRef?: RefObject<HTMLHeadingElement | null>;
  /** Offered on draft cards only. */
  onDelete?: (idea: IdeaSummary) => void;
}

/** The ideas of one status: waiting, failed, empty or listed. */
export function IdeaColumn({
  title,
  emptyText,
  emptyHint,
  ideas,
  loading,
  failed,
  retrying,
  onRetry,
  isLater = false,
  headingRef,
  onDelete,
}: IdeaColumnProps) {
  return (
    <Column
      title={title}
      count={loading || failed ? undefined : ideas.length}
      headingRef={headingRef}
      className={isLater && loading ? "max-lg:hidden" : undefined}
    >
      {loading && <Waiting />}
      {failed && <LoadFailure text={messages.listFailed} busy={retrying} onRetry={onRetry} />}
      {!loading && !failed && ideas.length === 0 && (
        <EmptyState title={emptyText} hint={emptyHint} />
      )}
      {ideas.length > 0 && (
        <ul className="flex flex-col gap-3">
          {ideas.map((idea) => (
            <IdeaCard key={idea.id} idea={idea} onDelete={onDelete} />
          ))}
        </ul>
      )}
    </Column>
  );
}
