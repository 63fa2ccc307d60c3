/** Files to be saved. Beside `http.ts`, whose every answer is JSON. */
import { type ApiResult, failure, noAnswer } from "./http";

/** A file as the server names it. */
export interface DownloadedFile {
  name: string;
  blob: Blob;
}

/** Where the document of an open share link is downloaded. */
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
    return { error: noAnswer(String(cause)) };
  }
}

/** The name in a Content-Disposition header as our server writes it (RFC 6266). */
function nameOf(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : "document";
}
