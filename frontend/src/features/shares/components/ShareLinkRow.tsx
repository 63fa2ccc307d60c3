import type { Share } from "@/api/generated";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { formatDateTime } from "@/ui/dates";
import { shareTypeLabel } from "../shareTypes";
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
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {label}
          {share.state === "expired" && <Badge tone="danger">Expired</Badge>}
          {share.state === "exhausted" && <Badge tone="warning">Used up</Badge>}
        </p>
        <p className="mt-0.5 text-muted text-sm tabular-nums">
          {share.maxViews === null
            ? `Views: ${share.viewCount}`
            : `Views: ${share.viewCount} / ${share.maxViews}`}
        </p>
        {share.recipientEmail && <p className="text-muted text-sm">For {share.recipientEmail}</p>}
        {share.expiresAt && (
          <p className="text-muted text-sm">
            {share.state === "expired" ? "Expired" : "Expires"} {formatDateTime(share.expiresAt)}
          </p>
        )}
        <p className="text-muted text-sm first-letter:uppercase">{created}</p>
      </div>
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
