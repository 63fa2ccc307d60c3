import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useListIdeaActivityQuery } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { ShareSummary } from "@/sharing/ShareSummary";
import { shareLabel } from "@/sharing/shareTypes";
import { areAllViewsClosed } from "@/sharing/viewEnds";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { formatDateTime } from "@/ui/dates";
import { focusIfLost } from "@/ui/focusIfLost";
import { CopyAccessLink } from "./CopyAccessLink";
import { RenameShare } from "./RenameShare";
import { ShareNotifications } from "./ShareNotifications";
import { ShareOptionsForm } from "./ShareOptionsForm";

interface ShareRowProps {
  share: Share;
  onRevoke: (share: Share) => void;
}

/**
 * One link: its name or type, views (with the maximum if set), state, and actions. Revoking a
 * used-up link ends the views that are still open; once all are closed, there is nothing left to
 * revoke. A link whose address is damaged cannot be copied.
 */
export function ShareRow({ share, onRevoke }: ShareRowProps) {
  const [renaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const isUsedUp = share.state === "exhausted";
  const { data: activity = [] } = useListIdeaActivityQuery(
    { id: share.ideaId },
    { skip: !isUsedUp },
  );
  const hasOpenViews = isUsedUp && !areAllViewsClosed(share, activity);
  const description = `${shareLabel(share)}, created ${formatDateTime(share.createdAt)}`;
  const closeRename = () => {
    flushSync(() => setRenaming(false));
    focusIfLost(renameButton.current);
  };
  return (
    <li className="flex flex-col items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <ShareSummary share={share} />
        {share.state === "active" && <ShareOptionsForm share={share} description={description} />}
      </div>
      {renaming ? (
        <RenameShare share={share} onClose={closeRename} />
      ) : (
        <div className={cx("flex flex-wrap gap-2", share.state !== "active" && "-ml-3")}>
          {share.state === "active" && share.accessLink !== null && (
            <CopyAccessLink
              accessLink={share.accessLink}
              label="Copy Link"
              description={description}
            />
          )}
          <Button ref={renameButton} variant="ghost" size="sm" onClick={() => setRenaming(true)}>
            {share.name ? "Rename" : "Add name"}
            <span className="sr-only"> {description}</span>
          </Button>
          {(share.state === "active" || hasOpenViews) && (
            <Button
              variant="ghost"
              size="sm"
              className="text-danger"
              onClick={() => onRevoke(share)}
            >
              Revoke
              <span className="sr-only"> {description}</span>
            </Button>
          )}
        </div>
      )}
      {share.state === "active" && <ShareNotifications share={share} description={description} />}
      {hasOpenViews && (
        <details className="text-sm">
          <summary className="min-h-11 cursor-pointer content-center rounded-md text-muted md:min-h-8">
            Options for views that are still open
            <span className="sr-only"> {description}</span>
          </summary>
          <ShareOptionsForm share={share} description={description} />
          <div className="mt-3">
            <ShareNotifications share={share} description={description} />
          </div>
        </details>
      )}
    </li>
  );
}
