/** The public record, for anybody. As in `publicClient`, nothing here throws. */
import type { PublicRecord } from "./generated";
import { send } from "./http";

/** Fails with 404 for a record that is off, as for one that never was. */
export const getPublicRecord = (documentId: string, signal?: AbortSignal) =>
  send<PublicRecord>({ url: `/api/record/${encodeURIComponent(documentId)}`, signal });
