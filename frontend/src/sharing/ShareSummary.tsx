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

/** How a link ended; the time follows. */
const endings: Record<Share["state"], string> = {
  active: "",
  exhausted: "All views used",
  expired: "Expired",
  revoked: "You revoked it",
};

/**
 * Summary of a link: name, type, state, views (with the maximum if set), for whom and until when.
 */
export function ShareSummary({ share }: { share: Share }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        <span className="wrap-anywhere min-w-0">
          {share.name ?? shareTypeLabel(share.shareType)}
        </span>
        <Badge tone={states[share.state].tone}>{states[share.state].label}</Badge>
      </p>
      {share.name && <p className="text-muted text-sm">{shareTypeLabel(share.shareType)}</p>}
      <p className="mt-0.5 text-muted text-sm tabular-nums">
        {share.maxViews === null
          ? `Views: ${share.viewCount}`
          : `Views: ${share.viewCount} / ${share.maxViews}`}
      </p>
      {share.recipientEmail && (
        <p className="wrap-anywhere text-muted text-sm">For {share.recipientEmail}</p>
      )}
      {share.expiresAt && share.state === "active" && (
        <p className="text-muted text-sm">Expires {formatDateTime(share.expiresAt)}</p>
      )}
      {!share.allowDownload && <p className="text-muted text-sm">No downloads</p>}
      <p className="text-muted text-sm">Created {formatDateTime(share.createdAt)}</p>
      {share.lastViewAt && share.state !== "exhausted" && (
        <p className="text-muted text-sm">Last viewed {formatDateTime(share.lastViewAt)}</p>
      )}
      {share.endedAt && (
        <p className="text-muted text-sm">
          {endings[share.state]} {formatDateTime(share.endedAt)}
        </p>
      )}
    </div>
  );
}
