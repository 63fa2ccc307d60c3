import { type ApiResult, failure, noAnswer } from "./http";

interface UploadRequest {
  url: string;
  body: FormData;
  signal: AbortSignal;
  /** Fraction sent, from 0 to 1; at 1 the server is processing the file. */
  onProgress: (share: number) => void;
}

/**
 * `send` for large bodies: `fetch` cannot report upload progress, XMLHttpRequest can. Never throws
 * either; an aborted upload fails like one without a response.
 */
export function upload<T>({ url, body, signal, onProgress }: UploadRequest): Promise<ApiResult<T>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abandon = () => request.abort();
    const settle = (result: ApiResult<T>) => {
      signal.removeEventListener("abort", abandon);
      resolve(result);
    };

    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => settle(answerOf<T>(request));
    request.onerror = () => settle({ error: noAnswer("the connection broke") });
    request.onabort = () => settle({ error: noAnswer("aborted") });

    signal.addEventListener("abort", abandon);
    request.open("POST", new URL(url, location.origin));
    request.withCredentials = true;
    if (signal.aborted) settle({ error: noAnswer("aborted") });
    else request.send(body);
  });
}

function answerOf<T>(request: XMLHttpRequest): ApiResult<T> {
  const { status, responseText } = request;
  if (status < 200 || status > 299) return { error: failure(request, responseText) };
  try {
    return { data: JSON.parse(responseText) as T };
  } catch {
    return { error: noAnswer("the answer is not JSON") };
  }
}
