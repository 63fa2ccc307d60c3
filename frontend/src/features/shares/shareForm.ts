import type { ShareBody, ShareType } from "@/api/generated";
import { limitsViews } from "@/sharing/shareTypes";

/** What the form holds: texts as typed. Fields that the type does not use are kept but not sent. */
export interface ShareFormValues {
  shareType: ShareType;
  expiresAt: string;
  maxViews: string;
  recipientEmail: string;
}

export const emptyShareForm: ShareFormValues = {
  shareType: "one-time",
  expiresAt: "",
  maxViews: "",
  recipientEmail: "",
};

/** Spec section 5, share submission payload: what the type does not use is null. */
export function shareBody(ideaId: number, values: ShareFormValues): ShareBody {
  const { shareType, expiresAt, maxViews, recipientEmail } = values;
  const timed = shareType === "time-dependent" && expiresAt !== "";
  const limited = limitsViews(shareType) && maxViews !== "";
  return {
    shareType,
    ideaId,
    expiresAt: timed ? new Date(expiresAt).toISOString() : null,
    maxViews: limited ? Number(maxViews) : null,
    recipientEmail: shareType === "email" ? recipientEmail.trim() : null,
  };
}
