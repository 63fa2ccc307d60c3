/**
 * Calls that answer with JSON. Both halves of the API layer (RTK Query, and `publicClient` for
 * public pages) go through `send`, so that every failure has the same shape.
 * Files have `upload.ts`, `fileDownload.ts` and `src/pdf`.
 */
import { maxPdfBytes } from "./pdfLimit";

/** A failed call, with the fields of the server's error body (docs/rules.md#statuses). */
export interface ApiError {
  /** HTTP status, or 0 when no response came. */
  status: number;
  /** "status: body text", or "status: status text" when the body is empty. */
  message: string;
  /** The server's own message, when the body carried one. */
  detail: string | null;
  /** Payload field that the server rejects, in camelCase. */
  field: string | null;
  /** The visit that has ended (`EndedVisit`), of a recipient who had agreed. */
  ended?: unknown;
}

/**
 * Whether the server explained its refusal. Such a message is shown at the form, without a toast,
 * which would say something else.
 */
export const isExplained = ({ status, detail }: ApiError): boolean =>
  status >= 400 && status < 500 && detail !== null;

/**
 * Whether nothing of the vault came back: the connection broke, or a proxy answered in its place
 * because it got no answer either. The vault's own failures have a message.
 */
export const isUnanswered = ({ status, detail }: ApiError): boolean =>
  status === 0 || (detail === null && (status === 502 || status >= 504));

/** Whether the server may have done what it was asked for, although no answer says so. */
export const mayHaveArrived = (error: ApiError | undefined): boolean =>
  error !== undefined && (error.status === 0 || error.status >= 500);

/**
 * Returns what the server says of a failure that is no matter of the connection, such as damaged
 * data; null for other failures.
 */
export const defectMessage = ({ status, detail }: ApiError): string | null =>
  status === 500 ? detail : null;

/** The largest body of a request, in megabytes: a PDF, or the text of an idea, and what is around it. */
const largestBody = Math.ceil(Math.max(maxPdfBytes() / 2 ** 20, 8)) + 1;

/** Message for a request that did not reach the vault. */
export const REFUSED_ON_THE_WAY = `Something in front of this vault, probably a proxy, refuses files of this size. Please ask the operator to allow ${largestBody} MB there (nginx: client_max_body_size ${largestBody}m).`;

/** Either the decoded response or the failure; `send` never throws. */
export type ApiResult<T> = { data: T; error?: undefined } | { data?: undefined; error: ApiError };

/** One call; FormData bodies are sent as multipart, everything else as JSON. */
export interface ApiRequest {
  url: string;
  method?: string | undefined;
  body?: unknown;
  /** Headers besides that of the body; those without a value are left out. */
  headers?: Record<string, string | null | undefined>;
  params?: Record<string, unknown> | undefined;
  /** Whether cookies go along; by default they do. */
  credentials?: RequestCredentials;
  signal?: AbortSignal | undefined;
  /**
   * Whether the call goes on when the page is closed meanwhile, if its body is small enough: all of a
   * page may have 64 KiB together (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
   */
  outlivesPage?: boolean;
  /** Whether the first page of a paged list is enough. */
  firstPageOnly?: boolean;
}

/**
 * Performs one call with cookies, without retries and without the browser cache. Follows the pages
 * of a paged list and returns the whole list, unless the first page is enough.
 */
export async function send<T>(request: ApiRequest): Promise<ApiResult<T>> {
  try {
    const response = await (takeEarly(request) ?? begin(request));
    const text = await response.text();
    if (!response.ok) return { error: failure(response, text) };
    const data = text === "" ? null : JSON.parse(text);
    const next = nextPage(response);
    if (!next || request.firstPageOnly) return { data };
    const { credentials, signal } = request;
    const rest = await send<unknown[]>({ url: next, signal, ...(credentials && { credentials }) });
    return rest.error ? rest : { data: [...data, ...rest.data] as T };
  } catch (cause) {
    return { error: noResponse(String(cause)) };
  }
}

declare global {
  interface Window {
    /** Returns, once, the answer to a call, or to one for a range, that public/early.js began. */
    takeEarlyAnswer?: ((url: string, range?: string) => Promise<Response> | undefined) | undefined;
  }
}

/** Returns the answer to this call if it was begun before the application ran. */
function takeEarly(request: ApiRequest): Promise<Response> | undefined {
  if ((request.method ?? "GET") !== "GET" || request.credentials !== undefined) return undefined;
  const { pathname, search } = address(request);
  return window.takeEarlyAnswer?.(pathname + search);
}

function begin(request: ApiRequest): Promise<Response> {
  const body = encodeBody(request.body);
  // A character takes three bytes at most.
  const isSmall = body === undefined || (typeof body === "string" && body.length < 16_384);
  return fetch(address(request), {
    method: request.method ?? "GET",
    credentials: request.credentials ?? "include",
    cache: "no-store",
    body,
    headers: headersOf(request),
    ...(request.signal ? { signal: request.signal } : {}),
    ...(request.outlivesPage && isSmall ? { keepalive: true } : {}),
  });
}

/** Returns the address of the next page from the Link header (RFC 8288). */
const nextPage = ({ headers }: Response) => headers.get("Link")?.match(/^<(.+)>; rel="next"$/)?.[1];

/** Builds the failure of a call that got no response. */
export const noResponse = (cause: string): ApiError => ({
  status: 0,
  message: `0: ${cause}`,
  detail: null,
  field: null,
});

function address({ url, params }: ApiRequest): URL {
  const target = new URL(url, location.origin);
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value));
  }
  return target;
}

const isJson = (body: unknown) => body !== undefined && !(body instanceof FormData);

const encodeBody = (body: unknown) =>
  body instanceof FormData ? body : body === undefined ? null : JSON.stringify(body);

function headersOf({ body, headers = {} }: ApiRequest): Record<string, string> {
  const all = { ...headers, "Content-Type": isJson(body) ? "application/json" : null };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Builds the failure for a response outside 2xx. */
export function failure(
  { status, statusText }: Pick<Response, "status" | "statusText">,
  text: string,
): ApiError {
  const parsed = errorBody(text);
  return {
    status,
    message: `${status}: ${text || statusText}`,
    // The vault's own 413 has a message.
    detail: parsed.message ?? (status === 413 ? REFUSED_ON_THE_WAY : null),
    field: parsed.field ?? null,
    ...(parsed.ended !== undefined && { ended: parsed.ended }),
  };
}

function errorBody(text: string): { message?: string; field?: string; ended?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    const { message, field, ended } = value as Record<string, unknown>;
    return {
      ...(typeof message === "string" ? { message } : {}),
      ...(typeof field === "string" ? { field } : {}),
      ...(ended === undefined ? {} : { ended }),
    };
  } catch {
    return {};
  }
}
