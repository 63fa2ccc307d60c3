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
    const name = nameOf(response.headers.get("content-disposition") ?? "");
    return { data: { name, blob: await response.blob() } };
  } catch (cause) {
    return { error: noResponse(String(cause)) };
  }
}

/** Reads the file name from a Content-Disposition header as our server writes it (RFC 6266). */
function nameOf(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : "document";
}
