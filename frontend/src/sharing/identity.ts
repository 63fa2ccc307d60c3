import type { ActivityRecipient } from "@/api/generated";
import { formatDateTime } from "@/ui/dates";

type Identity = Pick<ActivityRecipient, "identity" | "emailConfirmedAt">;

/** Returns when a code confirmed a recipient's address; null if none has. */
export const confirmationLabel = ({ identity, emailConfirmedAt }: Identity): string | null =>
  identity === "emailConfirmed" && emailConfirmedAt
    ? `Email confirmed ${formatDateTime(emailConfirmedAt)}`
    : null;
