import { HttpResponse, http } from "msw";
import { server } from "@/testing/server";

/** Response of the fake server: a status with a body, or a broken connection. */
export type Reply = readonly [status: number, body?: object] | "no answer";

/** A request as the page sent it. */
export interface SentCall {
  /** Path and query. */
  readonly to: string;
  readonly credentials: RequestCredentials;
  readonly cache: RequestCache;
  /** Media type of the body, null without one. */
  readonly type: string | null;
  /** JSON, or the fields of a form; files by their type. */
  readonly body: unknown;
}

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

/** Responds to a call, given as method and path, and records the requests. */
export function record(call: string, reply: Reply): SentCall[] {
  const [method, path] = call.split(" ") as [keyof typeof methods, string];
  const pattern = path.replace(/\?.*/, "").replace(/\{(\w+)\}/g, ":$1");
  const sent: SentCall[] = [];
  server.use(
    http[methods[method]](`*${pattern}`, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const { credentials, cache } = request;
      const [type = null] = request.headers.get("Content-Type")?.split(";") ?? [];
      sent.push({ to: pathname + search, credentials, cache, type, body: await bodyOf(request) });
      return responseTo(reply);
    }),
  );
  return sent;
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get("Content-Type")?.startsWith("multipart/form-data")) {
    return Object.fromEntries(
      [...(await request.formData()).entries()].map(([name, value]) => [
        name,
        typeof value === "string" ? value : { file: value.type },
      ]),
    );
  }
  const text = await request.text();
  return text === "" ? undefined : JSON.parse(text);
}

function responseTo(reply: Reply): Response {
  if (reply === "no answer") return HttpResponse.error();
  const [status, body] = reply;
  return body === undefined
    ? new HttpResponse(null, { status, statusText: "Status text" })
    : HttpResponse.json(body, { status });
}
