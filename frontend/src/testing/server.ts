import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { someEvidence } from "./evidence";

/**
 * The fake server of all tests. Each test sets the responses it needs; by default a user only has
 * no assets, stored bytes, sessions, second factor or notices, and no idea is on record or has
 * versions.
 */
export const server = setupServer(
  http.get("*/api/assets", () => HttpResponse.json([])),
  http.get("*/api/profile/storage", () =>
    HttpResponse.json({ usedBytes: 0, quotaBytes: 2_000_000_000 }),
  ),
  http.get("*/api/auth/sessions", () => HttpResponse.json([])),
  http.get("*/api/notices/unread", () => HttpResponse.json({ unread: 0 })),
  http.get("*/api/profile/notifications", () => HttpResponse.json({ mode: "at-once" })),
  http.get("*/api/ideas/:id/evidence", () => HttpResponse.json(someEvidence())),
  http.get("*/api/ideas/:id/revisions", () => HttpResponse.json([])),
  http.get("*/api/ideas/:id/working-copy", () => HttpResponse.json(null)),
  http.put("*/api/ideas/:id/working-copy", () => new HttpResponse(null, { status: 204 })),
  http.delete("*/api/ideas/:id/working-copy", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/auth/totp", () => HttpResponse.json({ enabled: false, recoveryCodesLeft: 0 })),
);
