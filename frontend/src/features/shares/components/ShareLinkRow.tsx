import type { Share } from "@/api/generated";
import { ShareSummary } from "@/sharing/ShareSummary";
import { shareTypeLabel } from "@/sharing/shareTypes";
import { Button } from "@/ui/Button";
import { formatDateTime } from "@/ui/dates";
import { CopyLinkButton } from "./CopyLinkButton";

interface ShareLinkRowProps {
  share: Share;
  onRevoke: (share: Share) => void;
}

/** One link: type, views (with the maximum if set), state, and what can be done with it. */
export function ShareLinkRow({ share, onRevoke }: ShareLinkRowProps) {
  const label = shareTypeLabel(share.shareType);
  const created = `created ${formatDateTime(share.createdAt)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <ShareSummary share={share} />
      <div className="flex gap-2">
        <CopyLinkButton
          accessLink={share.accessLink}
          label="Copy Link"
          description={`${label}, ${created}`}
        />
        <Button variant="ghost" size="sm" className="text-danger" onClick={() => onRevoke(share)}>
          Revoke
          <span className="sr-only">
            {" "}
            {label}, {created}
          </span>
        </Button>
      </div>
    </li>
  );
}
