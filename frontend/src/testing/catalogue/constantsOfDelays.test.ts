import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, vi } from "vitest";
import { aRecipient, aSharedIdea } from "@/features/recipient/testing/fixtures";
import { respondWith } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { deferTimers } from "@/testing/timers";
import { constants } from "./rows/constants";
import { arrivesAt, logIn } from "./testing/accountSteps";
import { askAssistant, importPdf, openAssistant, typeMessage } from "./testing/ideaSteps";
import { agree, atAgreement, giveDetails } from "./testing/sharingSteps";
import { type App, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { record } from "./testing/wire";

/** Expects something to be absent until the timers of a delay run, and present afterwards. */
async function staysUntil(
  timers: ReturnType<typeof deferTimers>,
  app: App,
  before: string,
  after: string,
) {
  await waitFor(() => expect(timers.count()).toBeGreaterThan(0));
  expect(app.path()).toBe(before);
  await timers.release();
  await arrivesAt(app, after);
}

const answered = () => respondWith("post", "/api/ai-writing-assistant", 200, { response: "More." });

const table: Record<(typeof constants.delays)[number], () => Promise<void>> = {
  "Redirect delay after login: 100 ms": async () => {
    respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
    const timers = deferTimers(100);
    const app = await logIn();
    await screen.findByText("You have been logged in successfully!");
    await staysUntil(timers, app, "/login", "/dashboard");
  },
  "Redirect delay after PDF upload: 1500 ms": async () => {
    record("POST /api/ideas/pdf", [201, { id: 7 }]);
    const timers = deferTimers(1500);
    const app = renderRoute("/dashboard");
    await screen.findByText("Idea (7) : Self-watering planter");
    // Lazy parts of the page use the same delay.
    const others = timers.count();
    await importPdf(undefined, app);
    await screen.findByRole("heading", { name: "PDF Uploaded Successfully" });
    await waitFor(() => expect(timers.count()).toBe(others + 1));
    await staysUntil(timers, app, "/dashboard", "/editor/7");
  },
  "Fake verification delay after recipient registration: 2000 ms": async () => {
    respondWith("post", "/api/recipients", 201, aRecipient());
    atAgreement();
    const unknown = () => HttpResponse.json(aSharedIdea("collect"));
    server.use(http.get("*/api/share/tok", unknown, { once: true }));
    const timers = deferTimers(2000);
    const app = await giveDetails();
    await screen.findByText("Verifying your details...");
    await staysUntil(timers, app, "/view/tok", "/nda/tok");
  },
  "Fake verification delay after NDA agreement: 2000 ms": async () => {
    atAgreement();
    respondWith("put", `/api/recipients/${aRecipient().id}/nda`, 200, aRecipient());
    const timers = deferTimers(2000);
    const app = await agree();
    respondWith("get", "/api/share/tok", 200, aSharedIdea("open"));
    await screen.findByText("Encrypting your agreement...");
    await staysUntil(timers, app, "/nda/tok", "/document/tok");
  },
  "Copy confirmation flag: 2 seconds": async () => {
    answered();
    const app = await askAssistant();
    await screen.findByText("More.");
    const timers = deferTimers(2000);
    await press(app, "Copy All");
    expect(await screen.findByRole("button", { name: "Copied!" })).toBeVisible();
    await waitFor(() => expect(timers.count()).toBe(1));
    await timers.release();
    expect(await screen.findByRole("button", { name: "Copy All" })).toBeVisible();
  },
  "AI chat scroll delay: 100 ms": async () => {
    answered();
    const timers = deferTimers(100);
    const app = await openAssistant();
    const log = screen.getByRole("log");
    // jsdom has no layout: the response begins 916 px below the top of the log.
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (
      this: Element,
    ) {
      return new DOMRect(0, this.textContent.startsWith("AIMore.") ? 916 : 0);
    });
    await typeMessage(app, "A kettle");
    await screen.findByText("More.");
    await waitFor(() => expect(timers.count()).toBeGreaterThan(0));
    expect(log.scrollTop).toBe(0);
    await timers.release();
    await waitFor(() => expect(log.scrollTop).toBe(900));
  },
};

afterEach(() => vi.restoreAllMocks());

eachRow("constants", constants.delays, table, async (check) => {
  serve();
  await check();
});
