import { type ApiResult, failure, noResponse } from "./http";

interface UploadRequest {
  url: string;
  body: FormData;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Fraction sent, from 0 to 1; at 1 the server is processing the file. */
  onProgress: (fraction: number) => void;
}

/**
 * `send` for large bodies: `fetch` cannot report upload progress, XMLHttpRequest can. Never throws
 * either; an aborted upload fails like one without a response.
 */
export function upload<T>(upload: UploadRequest): Promise<ApiResult<T>> {
  const { url, body, headers = {}, signal, onProgress } = upload;
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const finish = (result: ApiResult<T>) => {
      signal.removeEventListener("abort", abort);
      resolve(result);
    };

    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => finish(responseOf<T>(request));
    request.onerror = () => finish({ error: noResponse("the connection broke") });
    request.onabort = () => finish({ error: noResponse("aborted") });

    signal.addEventListener("abort", abort);
    request.open("POST", new URL(url, location.origin));
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (signal.aborted) finish({ error: noResponse("aborted") });
    else request.send(body);
  });
}

function responseOf<T>(request: XMLHttpRequest): ApiResult<T> {
  const { status, responseText } = request;
  if (status < 200 || status > 299) return { error: failure(request, responseText) };
  try {
    return { data: JSON.parse(responseText) as T };
  } catch {
    return { error: noResponse("the answer is not JSON") };
  }
}
