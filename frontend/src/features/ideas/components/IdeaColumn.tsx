import type { RefObject } from "react";
import type { ListedIdea } from "@/api/generated";
import { EmptyState } from "@/ui/EmptyState";
import { ListSkeleton } from "@/ui/ListSkeleton";
import { LoadFailure } from "@/ui/LoadFailure";
import { ShowMore } from "@/ui/ShowMore";
import { messages } from "../messages";
import { Column } from "./Column";
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
  onOrganize: (idea: ListedIdea) => void;
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
  onOrganize,
}: IdeaColumnProps) {
  return (
    <Column
      title={title}
      count={loading || failed ? undefined : ideas.length}
      headingRef={headingRef}
      className={isLater && loading ? "max-lg:hidden" : undefined}
    >
      {loading && <ListSkeleton row="h-24" />}
      {failed && <LoadFailure text={messages.listFailed} busy={retrying} onRetry={onRetry} />}
      {!loading && !failed && ideas.length === 0 && (
        <EmptyState
          title={narrowed ? messages.noMatch : emptyText}
          {...(narrowed ? {} : { hint: emptyHint })}
        />
      )}
      {ideas.length > 0 && (
        <ShowMore rows={ideas} first={PAGE} step={PAGE} of={title}>
          {(shown) => (
            <ul className="flex flex-col gap-3">
              {shown.map((idea) => (
                <IdeaCard key={idea.id} idea={idea} onDelete={onDelete} onOrganize={onOrganize} />
              ))}
            </ul>
          )}
        </ShowMore>
      )}
    </Column>
  );
}
