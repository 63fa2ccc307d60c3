/**
 * Returns the address of the exact text of an accepted agreement, for its reader and for the owner.
 */
export const agreementUrl = (recipientId: string): string =>
  `/api/recipients/${encodeURIComponent(recipientId)}/agreement.txt`;
