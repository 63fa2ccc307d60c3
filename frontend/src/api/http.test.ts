import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { server } from "@/testing/server";
import { toApiError } from "./baseApi";
import { send } from "./http";

test("returns the decoded body", async () => {
  respondWith("get", "/api/thing", 200, { id: 1 });
  expect(await send({ url: "/api/thing" })).toEqual({ data: { id: 1 } });
});

test("describes what our own code threw as a call without a response", () => {
  expect(toApiError({ name: "TypeError", message: "x is not a list" })).toMatchObject({
    status: 0,
    message: "0: x is not a list",
  });
});

test("returns null for a response without a body", async () => {
  respondWith("delete", "/api/thing", 204);
  expect(await send({ url: "/api/thing", method: "DELETE" })).toEqual({ data: null });
});

test("describes a failure by status and body, and reads the server's message and field", async () => {
  respondWith("get", "/api/thing", 409, { message: "Taken.", field: "email" });
  expect((await send({ url: "/api/thing" })).error).toEqual({
    status: 409,
    message: '409: {"message":"Taken.","field":"email"}',
    detail: "Taken.",
    field: "email",
  });
});

test("describes a failure without a body by status and status text", async () => {
  server.use(
    http.get("*/api/thing", () => new HttpResponse(null, { status: 503, statusText: "Away" })),
  );
  expect((await send({ url: "/api/thing" })).error).toEqual({
    status: 503,
    message: "503: Away",
    detail: null,
    field: null,
  });
});

test("returns status 0 when no response comes", async () => {
  server.use(http.get("*/api/thing", () => HttpResponse.error()));
  expect((await send({ url: "/api/thing" })).error?.status).toBe(0);
});

test("sends cookies and JSON, and leaves absent parameters out", async () => {
  let seen: Request | undefined;
  server.use(
    http.post("*/api/thing", ({ request }) => {
      seen = request.clone();
      return HttpResponse.json({});
    }),
  );
  await send({ url: "/api/thing", method: "POST", body: { a: 1 }, params: { x: 7, y: undefined } });
  expect(seen?.credentials).toBe("include");
  expect(seen?.headers.get("Content-Type")).toBe("application/json");
  expect(new URL(seen?.url ?? "").search).toBe("?x=7");
  expect(await seen?.json()).toEqual({ a: 1 });
});

test("joins the pages of a list", async () => {
  const links = new Map([
    ["?ideaId=7", '</api/things?ideaId=7&cursor=b>; rel="next"'],
    ["?ideaId=7&cursor=b", '</api/things?ideaId=7&cursor=c>; rel="next"'],
  ]);
  server.use(
    http.get("*/api/things", ({ request }) => {
      const { search } = new URL(request.url);
      const link = links.get(search);
      return HttpResponse.json([search], link ? { headers: { Link: link } } : {});
    }),
  );
  expect(await send({ url: "/api/things", params: { ideaId: 7 } })).toEqual({
    data: ["?ideaId=7", "?ideaId=7&cursor=b", "?ideaId=7&cursor=c"],
  });
});

test("fails when one page of a list fails", async () => {
  server.use(
    http.get("*/api/things", ({ request }) =>
      request.url.includes("cursor")
        ? HttpResponse.json({ message: "Away." }, { status: 503 })
        : HttpResponse.json([1], { headers: { Link: '</api/things?cursor=b>; rel="next"' } }),
    ),
  );
  const { data, error } = await send({ url: "/api/things" });
  expect(data).toBeUndefined();
  expect(error?.detail).toBe("Away.");
});

test("asks for no other page where the first is enough", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/api/things", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json([1], { headers: { Link: '</api/things?cursor=b>; rel="next"' } });
    }),
  );
  const request = { url: "/api/things", params: { limit: 1 }, firstPageOnly: true };
  expect(await send(request)).toEqual({ data: [1] });
  expect(asked).toEqual(["?limit=1"]);
});

test("sends FormData as multipart", async () => {
  let type: string | null | undefined;
  server.use(
    http.post("*/api/thing", ({ request }) => {
      type = request.headers.get("Content-Type");
      return HttpResponse.json({});
    }),
  );
  await send({ url: "/api/thing", method: "POST", body: new FormData() });
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
});
