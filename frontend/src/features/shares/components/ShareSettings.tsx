import { Link } from "react-router";
import { useListIdeaActivityQuery } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { paths } from "@/routing/paths";
import { ShareSetup } from "@/sharing/ShareFacts";
import { areAllViewsClosed } from "@/sharing/viewEnds";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
import { messages } from "../messages";
import { ShareNotifications } from "./ShareNotifications";
import { ShareOptionsForm } from "./ShareOptionsForm";
import { ShareTextForm } from "./ShareTextForm";

interface ShareSettingsProps {
  share: Share;
  onRevoke: (share: Share) => void;
}

/**
 * What can be changed of a link. Of an ended one that is the name; while views of a used-up one are
 * open, it can be revoked, which ends them, and their options still count.
 */
export function ShareSettings({ share, onRevoke }: ShareSettingsProps) {
  const isUsedUp = share.state === "exhausted";
  const { data: activity = [] } = useListIdeaActivityQuery(
    { id: share.ideaId },
    { skip: !isUsedUp },
  );
  const hasOpenViews = isUsedUp && !areAllViewsClosed(share, activity);
  return (
    <>
      <ShareSetup share={share} />
      <Link to={paths.preview(share.id)} className={buttonStyles("secondary", "sm")}>
        {messages.preview}
      </Link>
      <ShareTextForm share={share} field="name" />
      {hasOpenViews && <p className="text-muted text-sm">{messages.openViews}</p>}
      {(share.state === "active" || hasOpenViews) && (
        <>
          <ShareTextForm share={share} field="coverTitle" />
          <ShareOptionsForm share={share} />
          <ShareNotifications share={share} />
          <Button
            variant="ghost"
            size="sm"
            className="-ml-3 text-danger"
            onClick={() => onRevoke(share)}
          >
            {messages.revoke}
          </Button>
        </>
      )}
    </>
  );
}
