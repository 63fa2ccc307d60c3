/** File downloads. Separate from `http.ts`, which handles JSON only. */
import { type ApiResult, failure, noResponse } from "./http";

/** A file with the name that the server gave it. */
interface DownloadedFile {
  name: string;
  blob: Blob;
}

/** Returns the download URL of the document behind an open share link. */
export const shareDownloadUrl = (token: string): string =>
  `/api/share/${encodeURIComponent(token)}/download`;

/** Fetches a whole file; never throws. */
export async function fetchFile(url: string): Promise<ApiResult<DownloadedFile>> {
  try {
    const response = await fetch(url, { credentials: "include", cache: "no-store" });
    if (!response.ok) return { error: failure(response, await response.text()) };
    return { data: { name: nameOf(response), blob: await response.blob() } };
  } catch (cause) {
    return { error: noResponse(String(cause)) };
  }
}

interface DownloadOptions {
  signal: AbortSignal;
  /** Called with the bytes received, and with those of the whole file where the server says so. */
  onProgress: (received: number, total: number | null) => void;
}

/** Fetches a large file and reports how far it is; never throws. */
export async function fetchLargeFile(
  url: string,
  { signal, onProgress }: DownloadOptions,
): Promise<ApiResult<DownloadedFile>> {
  try {
    const response = await fetch(url, { credentials: "include", cache: "no-store", signal });
    if (!response.ok) return { error: failure(response, await response.text()) };
    const total = Number(response.headers.get("content-length")) || null;
    const parts: BlobPart[] = [];
    let received = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      received += part.value.length;
      onProgress(received, total);
    }
    if (total !== null && received < total) return { error: noResponse("the connection broke") };
    const type = response.headers.get("content-type") ?? "";
    return { data: { name: nameOf(response), blob: new Blob(parts, { type }) } };
  } catch (cause) {
    return { error: noResponse(String(cause)) };
  }
}

/** Reads the file name from a Content-Disposition header as our server writes it (RFC 6266). */
function nameOf({ headers }: Response): string {
  const disposition = headers.get("content-disposition") ?? "";
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, plain] = /filename="([^"\\]+)"/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : (plain ?? "document");
}
