import type { Share, ShareType } from "@/api/generated";
import { paths } from "@/routing/paths";

/** The four types of links (docs/rules.md#share-types), with their meaning for a recipient. */
export const shareTypes = [
  {
    value: "one-time",
    label: "One-time view",
    hint: "Each reader opens it once.",
  },
  {
    value: "time-dependent",
    label: "Time-dependent (expires after a period)",
    hint: "Open until the date you set.",
  },
  {
    value: "full-access",
    label: "Full access (unlimited views)",
    hint: "Open until you revoke it.",
  },
  {
    value: "email",
    label: "Share by Email (Full Access)",
    hint: "Only for the person whose address you enter.",
  },
] as const satisfies readonly { value: ShareType; label: string; hint: string }[];

const shortLabels: Record<ShareType, string> = {
  "one-time": "One-time view",
  "time-dependent": "Time-dependent",
  "full-access": "Full access",
  email: "Share by Email",
};

/** Returns the short label of a type, for lists. */
export const shareTypeLabel = (type: ShareType): string => shortLabels[type];

/** The states of links, in words. */
export const shareStates: Record<Share["state"], string> = {
  active: "Active",
  exhausted: "Used up",
  expired: "Expired",
  revoked: "Revoked",
};

/** Returns a link's name and type. */
export const shareLabel = ({ name, shareType }: Pick<Share, "name" | "shareType">): string =>
  name ? `${name} (${shareTypeLabel(shareType)})` : shareTypeLabel(shareType);

/** Returns the address that a recipient opens. */
export const shareUrl = (accessLink: string): string =>
  new URL(paths.view(accessLink), location.origin).href;

export const limitsViews = (type: ShareType): boolean =>
  type === "one-time" || type === "time-dependent";
