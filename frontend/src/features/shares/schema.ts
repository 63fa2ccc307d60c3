import { lazy, object, string } from "yup";
import type { ShareBody, ShareType } from "@/api/generated";
import { limitsViews } from "./shareTypes";

const EMAIL = "Please enter a valid email address";
const VIEWS = "Enter a whole number of 1 or more";

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

const expiry = string().test("future", "Choose a time in the future", (value) =>
  value ? new Date(value) > new Date() : true,
);
const views = string().matches(/^[1-9]\d{0,8}$/, { message: VIEWS, excludeEmptyString: true });
const recipient = string().trim().required(EMAIL).email(EMAIL);

/** Spec section 5, Share form. A field's rule applies only while the chosen type shows it. */
export const shareSchema = lazy(({ shareType }: ShareFormValues) =>
  object({
    ...(shareType === "time-dependent" && { expiresAt: expiry }),
    ...(limitsViews(shareType) && { maxViews: views }),
    ...(shareType === "email" && { recipientEmail: recipient }),
  }),
);

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
