import { lazy, object, string } from "yup";
import { limitsViews } from "@/sharing/shareTypes";
import { emailAddress } from "@/ui/form/emailAddress";
import { messages } from "./messages";
import type { ShareFormValues } from "./shareForm";

const EMAIL = "Please enter a valid email address";

const expiry = string().test("future", "Choose a time in the future", (value) =>
  value ? new Date(value) > new Date() : true,
);
const views = string().matches(/^[1-9]\d{0,8}$/, {
  message: messages.viewsNotNumber,
  excludeEmptyString: true,
});
const recipient = emailAddress(EMAIL);

/**
 * The share form (docs/rules.md#share-fields). A field's rules apply only while the chosen type
 * shows it.
 */
export const shareSchema = lazy(({ shareType }: ShareFormValues) =>
  object({
    ...(shareType === "time-dependent" && { expiresAt: expiry }),
    ...(limitsViews(shareType) && { maxViews: views }),
    ...(shareType === "email" && { recipientEmail: recipient }),
  }),
);
