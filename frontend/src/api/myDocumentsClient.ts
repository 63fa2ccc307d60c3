/** What a person was shown, by a mailed link. As in `publicClient`, nothing here throws. */
import type { MyDocuments } from "./generated";
import { send } from "./http";

const address = "/api/my-documents";

export const myDocumentsClient = {
  /** Responds alike for every address. */
  request: (email: string) => send<null>({ url: address, method: "POST", body: { email } }),

  /**
   * Uses up a mailed link; fails with 400 for one that is used or expired. Sent again with the same
   * key, it responds the same.
   */
  open: (token: string, key: string) =>
    send<null>({
      url: `${address}/open`,
      method: "POST",
      body: { token },
      headers: { "Idempotency-Key": key },
    }),

  /** Fails with 401 unless this browser has used a link within 30 minutes. */
  list: () => send<MyDocuments>({ url: address }),

  /** Ends what this browser is shown. */
  end: () => send<null>({ url: `${address}/end`, method: "POST", body: {} }),
};

/** Address of the receipt of one of the documents. */
export const myReceiptUrl = (recipientId: string): string =>
  `${address}/${recipientId}/receipt.pdf`;

/** Address of the text of the agreement of one of the documents. */
export const myAgreementUrl = (recipientId: string): string =>
  `${address}/${recipientId}/agreement.txt`;
