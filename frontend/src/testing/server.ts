import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

/**
 * The fake server of all tests. It answers nothing by itself, each test says what it needs; only
 * nobody has assets, sessions or a second step unless a test is about them.
 */
export const server = setupServer(
  http.get("*/api/assets", () => HttpResponse.json([])),
  http.get("*/api/auth/sessions", () => HttpResponse.json([])),
  http.get("*/api/auth/totp", () => HttpResponse.json({ enabled: false, recoveryCodesLeft: 0 })),
);
