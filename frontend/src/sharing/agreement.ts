/**
 * Returns the address of the exact text of an accepted agreement, for its recipient and for the owner.
 */
export const agreementUrl = (recipientId: string): string =>
  `/api/recipients/${encodeURIComponent(recipientId)}/agreement.txt`;

/** Returns the address of the receipt of an accepted agreement, for the same two. */
export const receiptUrl = (recipientId: string): string =>
  `/api/recipients/${encodeURIComponent(recipientId)}/receipt.pdf`;

/** Returns the address of the evidence for a recipient who agreed. */
export const shareEvidenceUrl = (token: string): string =>
  `/api/share/${encodeURIComponent(token)}/evidence.zip`;
