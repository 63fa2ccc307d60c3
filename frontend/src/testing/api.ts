import { delay, HttpResponse, http } from "msw";
import type { User } from "@/api/generated";
import { aUser } from "./fixtures";
import { server } from "./server";

type Method = "get" | "post" | "put" | "delete";

/** Sets the fake server's response to one call and records the requests. */
export function respondWith(method: Method, path: string, status: number, body?: object) {
  const calls: {
    body: unknown;
    url: URL;
    credentials: RequestCredentials;
    key: string | null;
  }[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      const text = await request.text();
      calls.push({
        body: text ? JSON.parse(text) : undefined,
        url: new URL(request.url),
        credentials: request.credentials,
        key: request.headers.get("Idempotency-Key"),
      });
      return body === undefined
        ? new HttpResponse(null, { status })
        : HttpResponse.json(body, { status });
    }),
  );
  return calls;
}

/** Loses the response to one call, and records the keys of the requests. */
export function loseResponse(method: Method, path: string) {
  const keys: (string | null)[] = [];
  server.use(
    http[method](`*${path}`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return HttpResponse.error();
    }),
  );
  return keys;
}

/** Makes a call never respond, to test loading states. */
export function neverRespond(method: Method, path: string) {
  const calls: URL[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      calls.push(new URL(request.url));
      await delay("infinite");
    }),
  );
  return calls;
}

/** Makes a call respond when the test calls `release`, with the response given there. */
export function deferResponse(method: Method, path: string) {
  const calls: URL[] = [];
  let release: (status: number, body: object) => void = () => undefined;
  const response = new Promise<Response>((resolve) => {
    release = (status, body) => resolve(HttpResponse.json(body, { status }));
  });
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      calls.push(new URL(request.url));
      return (await response).clone();
    }),
  );
  return { calls, release };
}

export const signedIn = (user: User = aUser()) => respondWith("get", "/api/auth/me", 200, user);
export const signedOut = () =>
  respondWith("get", "/api/auth/me", 401, { message: "You are not signed in." });
