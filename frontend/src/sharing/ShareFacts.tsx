import type { ReactNode } from "react";
import type { Share } from "@/api/generated";
import { Badge, type BadgeTone } from "@/ui/Badge";
import { formatDateTime } from "@/ui/dates";
import { shareStates, shareTypeLabel } from "./shareTypes";

const tones: Record<Share["state"], BadgeTone> = {
  active: "success",
  exhausted: "warning",
  expired: "danger",
  revoked: "neutral",
};

/** How a link ended; the time follows. */
const endings: Record<Share["state"], string> = {
  active: "",
  exhausted: "All views used",
  expired: "Expired",
  revoked: "You revoked it",
};

/** A link's name, or else its type, and its state. */
export function ShareTitle({ share: { name, shareType, state } }: { share: Share }) {
  return (
    <p className="flex flex-wrap items-center gap-2 font-semibold">
      <span className="wrap-anywhere min-w-0">{name ?? shareTypeLabel(shareType)}</span>
      <Badge tone={tones[state]}>{shareStates[state]}</Badge>
    </p>
  );
}

/** Type, views and last opening of a link, each an element of its own. */
export function ShareUse({ share }: { share: Share }) {
  return (
    <>
      {/* Without a name, the type stands in its place. */}
      {share.name && <span>{shareTypeLabel(share.shareType)}</span>}
      <span className="tabular-nums lg:col-start-3">
        {share.maxViews === null
          ? `Views: ${share.viewCount}`
          : `Views: ${share.viewCount} / ${share.maxViews}`}
      </span>
      <span>
        {share.lastViewAt ? `Last opened ${formatDateTime(share.lastViewAt)}` : "Never opened"}
      </span>
    </>
  );
}

/** For whom a link is, and until when it holds or held. */
export function ShareTerms({ share }: { share: Share }) {
  return (
    <Facts>
      {share.recipientEmail && <span className="wrap-anywhere">For {share.recipientEmail}</span>}
      {share.expiresAt && share.state === "active" && (
        <span>Expires {formatDateTime(share.expiresAt)}</span>
      )}
      {share.endedAt && (
        <span>
          {endings[share.state]} {formatDateTime(share.endedAt)}
        </span>
      )}
    </Facts>
  );
}

/** When a link was made, and what it does not allow. */
export function ShareSetup({ share }: { share: Share }) {
  return (
    <Facts>
      <span>Created {formatDateTime(share.createdAt)}</span>
      {!share.allowDownload && <span>No downloads</span>}
    </Facts>
  );
}

/** Short facts, side by side where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-4 text-muted text-sm empty:hidden">{children}</p>
  );
}
