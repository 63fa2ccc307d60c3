import type { ReactNode } from "react";
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
      <Facts>
        {share.name && <span>{shareTypeLabel(share.shareType)}</span>}
        <span className="tabular-nums">
          {share.maxViews === null
            ? `Views: ${share.viewCount}`
            : `Views: ${share.viewCount} / ${share.maxViews}`}
        </span>
        {share.lastViewAt && share.state !== "exhausted" && (
          <span>Last viewed {formatDateTime(share.lastViewAt)}</span>
        )}
      </Facts>
      {share.recipientEmail && (
        <p className="wrap-anywhere text-muted text-sm">For {share.recipientEmail}</p>
      )}
      <Facts>
        <span>Created {formatDateTime(share.createdAt)}</span>
        {share.expiresAt && share.state === "active" && (
          <span>Expires {formatDateTime(share.expiresAt)}</span>
        )}
        {share.endedAt && (
          <span>
            {endings[share.state]} {formatDateTime(share.endedAt)}
          </span>
        )}
        {!share.allowDownload && <span>No downloads</span>}
      </Facts>
    </div>
  );
}

/** Short facts, side by side where there is room. */
function Facts({ children }: { children: ReactNode }) {
  return <p className="mt-0.5 flex flex-wrap gap-x-4 text-muted text-sm">{children}</p>;
}
