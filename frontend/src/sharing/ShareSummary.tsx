import type { Share } from "@/api/generated";
import { Badge, type BadgeTone } from "@/ui/Badge";
import { formatDateTime } from "@/ui/dates";
import { shareTypeLabel } from "./shareTypes";

const states: Record<Share["state"], { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "success" },
  exhausted: { label: "Used up", tone: "warning" },
  expired: { label: "Expired", tone: "danger" },
  revoked: { label: "Revoked", tone: "neutral" },
};

/** One link in words: type, state, views (with the maximum if set), for whom and until when. */
export function ShareSummary({ share }: { share: Share }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {shareTypeLabel(share.shareType)}
        <Badge tone={states[share.state].tone}>{states[share.state].label}</Badge>
      </p>
      <p className="mt-0.5 text-muted text-sm tabular-nums">
        {share.maxViews === null
          ? `Views: ${share.viewCount}`
          : `Views: ${share.viewCount} / ${share.maxViews}`}
      </p>
      {share.recipientEmail && (
        <p className="wrap-anywhere text-muted text-sm">For {share.recipientEmail}</p>
      )}
      {share.expiresAt && (
        <p className="text-muted text-sm">
          {share.state === "expired" ? "Expired" : "Expires"} {formatDateTime(share.expiresAt)}
        </p>
      )}
      <p className="text-muted text-sm">Created {formatDateTime(share.createdAt)}</p>
    </div>
  );
}
