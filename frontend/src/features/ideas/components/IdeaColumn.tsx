import { type RefObject, useState } from "react";
import type { ListedIdea } from "@/api/generated";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { messages } from "../messages";
import { Column } from "./Column";
import { ColumnSkeleton } from "./ColumnSkeleton";
import { IdeaCard } from "./IdeaCard";

/** Cards shown at first, and added each time. */
const PAGE = 6;

interface IdeaColumnProps {
  title: string;
  emptyText: string;
  emptyHint: string;
  ideas: readonly ListedIdea[];
  /** Whether a search or filter hides ideas of this status. */
  narrowed: boolean;
  loading: boolean;
  failed: boolean;
  retrying: boolean;
  onRetry: () => void;
  /** Below other columns on a narrow screen: hidden there until those are loaded. */
  isLater?: boolean;
  headingRef?: RefObject<HTMLHeadingElement | null>;
  /** For draft cards only. */
  onDelete?: (idea: ListedIdea) => void;
}

/** The ideas of one status: loading, failed, empty or listed. */
export function IdeaColumn({
  title,
  emptyText,
  emptyHint,
  ideas,
  narrowed,
  loading,
  failed,
  retrying,
  onRetry,
  isLater = false,
  headingRef,
  onDelete,
}: IdeaColumnProps) {
  const [shown, setShown] = useState(PAGE);
  return (
    <Column
      title={title}
      count={loading || failed ? undefined : ideas.length}
      headingRef={headingRef}
      className={isLater && loading ? "max-lg:hidden" : undefined}
    >
      {loading && <ColumnSkeleton />}
      {failed && <LoadFailure text={messages.listFailed} busy={retrying} onRetry={onRetry} />}
      {!loading && !failed && ideas.length === 0 && (
        <EmptyState
          title={narrowed ? messages.noMatch : emptyText}
          {...(narrowed ? {} : { hint: emptyHint })}
        />
      )}
      {ideas.length > 0 && (
        <ul className="flex flex-col gap-3">
          {ideas.slice(0, shown).map((idea) => (
            <IdeaCard key={idea.id} idea={idea} onDelete={onDelete} />
          ))}
        </ul>
      )}
      {ideas.length > shown && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4 w-full"
          onClick={() => setShown(shown + PAGE)}
        >
          Show more ({ideas.length - shown})<span className="sr-only"> of {title}</span>
        </Button>
      )}
    </Column>
  );
}
