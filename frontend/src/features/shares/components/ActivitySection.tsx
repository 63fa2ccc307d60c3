import { useListIdeaActivityQuery } from "@/api/enhanced";
import { isClosed, lastClosings } from "@/sharing/viewEnds";
import { EmptyState } from "@/ui/EmptyState";
import { ShowMore } from "@/ui/ShowMore";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";
import { ActivityRow } from "./ActivityRow";
import { FoldedRegistrations } from "./FoldedRegistrations";
import { ListPanel } from "./ListPanel";

/** Entries shown at first. */
const FIRST_ROWS = 12;

const exportUrl = (ideaId: number, ending: "csv" | "json") =>
  `/api/ideas/${ideaId}/activity.${ending}`;

/** Activity of recipients, newest first: the owner's evidence of disclosure. */
export function ActivitySection({ ideaId }: { ideaId: number }) {
  const activity = useListIdeaActivityQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListPanel title="Activity" query={activity} failedText={messages.activityFailed}>
      {(rows) => {
        if (rows.length === 0)
          return (
            <EmptyState
              title="Nobody has opened a link yet"
              hint="You will see here who accepted the agreement and opened the idea, and when."
            />
          );
        const closings = lastClosings(rows);
        return (
          <>
            <p className="mb-4 text-muted text-sm">
              Readers entered these names and email addresses themselves. Addresses confirmed by a
              code are marked.
            </p>
            <ShowMore rows={rows} first={FIRST_ROWS} of="Activity">
              {(shown) => (
                <>
                  <ol className="flex flex-col gap-5">
                    {shown.map((entry) => (
                      <ActivityRow
                        key={`${entry.type}-${entry.id}`}
                        ideaId={ideaId}
                        entry={entry}
                        isClosed={isClosed(entry, closings)}
                      />
                    ))}
                  </ol>
                  <FoldedRegistrations ideaId={ideaId} />
                </>
              )}
            </ShowMore>
            <p className="mt-5 border-line border-t pt-4 text-muted text-sm">
              Export all activity as{" "}
              <a href={exportUrl(ideaId, "csv")} download className={textLinkStyles}>
                CSV
              </a>{" "}
              or{" "}
              <a href={exportUrl(ideaId, "json")} download className={textLinkStyles}>
                JSON
              </a>
            </p>
          </>
        );
      }}
    </ListPanel>
  );
}
