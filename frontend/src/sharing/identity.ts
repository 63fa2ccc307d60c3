import type { ActivityRecipient } from "@/api/generated";
import { formatDateTime } from "@/ui/dates";

/** How far it is certain who a recipient is, in words for the owner. */
export const identityLabel = ({
  identity,
  emailConfirmedAt,
}: Pick<ActivityRecipient, "identity" | "emailConfirmedAt">): string =>
  identity === "emailConfirmed" && emailConfirmedAt
    ? `Email confirmed ${formatDateTime(emailConfirmedAt)}`
    : "Details as typed, not confirmed";
