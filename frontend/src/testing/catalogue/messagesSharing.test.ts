import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { pause } from "@/features/recipient/pause";
import { aRecipient } from "@/features/recipient/testing/fixtures";
import { selectRecipient } from "@/features/recipient/visit";
import { respondWith } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { failures, otherFailures, successes } from "./rows/messages";
import { arrivesAt } from "./testing/accountSteps";
import {
  agree,
  atAgreement,
  atDocument,
  comment,
  createShare,
  decline,
  giveDetails,
  joinWaitlist,
  openDocument,
  openShare,
  search,
} from "./testing/sharingSteps";
import { expectToast, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { expectFailureToast, expectSuccessToast, type Situation } from "./testing/toasts";
import { type Reply, record } from "./testing/wire";

vi.mock("@/features/recipient/pause", { spy: true });

const logged = vi.fn();

beforeEach(() => {
  vi.mocked(pause).mockResolvedValue();
  logged.mockClear();
  vi.spyOn(console, "error").mockImplementation(logged);
});

const refused: Reply = [503];
const searchCall = "POST /api/ai-search";
const inRedBox = (text: string) => async () => {
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(screen.getByRole("alert")).toHaveClass("border-danger");
};

const failing: Record<keyof typeof failures.sharing, Situation> = {
  "Share link failure": { call: "POST /api/shares", reply: refused, make: createShare },
  "Collect submit failure": {
    call: "POST /api/recipients",
    reply: refused,
    make: giveDetails,
    // The form comes back with its input.
    also: async () => {
      expect(await screen.findByLabelText("Full name")).toHaveValue("Grace Hopper");
    },
  },
  "NDA agree failure": {
    given: atAgreement,
    call: "PUT /api/recipients/{id}/nda",
    reply: refused,
    make: agree,
    also: async () => void (await screen.findByRole("button", { name: "I Agree" })),
  },
  "Add comment failure": {
    given: atDocument,
    call: "POST /api/comments",
    reply: refused,
    make: comment,
    also: async () => {
      await waitFor(() =>
        expect(logged).toHaveBeenCalledWith("Failed to add comment", expect.any(String)),
      );
      expect(screen.getByLabelText("Add a comment")).toHaveValue(" Clever ");
    },
  },
  "Waitlist failure": { call: "POST /api/waitlist", reply: refused, make: joinWaitlist },
  "AI search failure: the server message": {
    call: searchCall,
    reply: [503, { message: "The search is not set up." }],
    make: search,
    also: inRedBox("The search is not set up."),
  },
  "AI search failure": {
    call: searchCall,
    reply: refused,
    make: search,
    also: inRedBox("Search failed"),
  },
  "AI search failure, no answer": {
    call: searchCall,
    reply: "no answer",
    make: search,
    also: inRedBox("Something went wrong"),
  },
};

eachRow(
  "failure messages",
  Object.keys(failures.sharing) as (keyof typeof failures.sharing)[],
  failing,
  expectFailureToast(failures.sharing),
);

const created: Reply = [201, aShare({ accessLink: "fresh" })];

const succeeding: Record<keyof typeof successes.sharing, Situation> = {
  Share: { call: "POST /api/shares", reply: created, make: createShare },
  "Share, then": {
    call: "POST /api/shares",
    reply: created,
    make: async () => {
      const pauses = deferTimers(2000);
      const app = await createShare();
      await expectToast({ anywhere: successes.sharing.Share, variant: "default" });
      await waitFor(() => expect(pauses.count()).toBeGreaterThan(0));
      await pauses.release();
      return app;
    },
  },
  "Copy link": {
    call: "GET /api/ideas/{id}/shares",
    reply: [200, [aShare({ accessLink: "tok3n" })]],
    make: async () => {
      const app = await openShare();
      await press(app, /^Copy Link/);
      return app;
    },
    also: () => expectClipboard("http://localhost:3000/view/tok3n"),
  },
  "Copy link (new)": {
    call: "POST /api/shares",
    reply: created,
    make: async () => {
      const app = await createShare();
      await press(app, "Copy");
      return app;
    },
    also: () => expectClipboard("http://localhost:3000/view/fresh"),
  },
  Waitlist: { call: "POST /api/waitlist", reply: [200, { success: true }], make: joinWaitlist },
  Download: {
    given: () => {
      atDocument();
      respondWith("get", "/api/share/tok/download", 200, {});
      URL.createObjectURL = () => "blob:document";
      URL.revokeObjectURL = () => undefined;
      vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    },
    make: async () => {
      const app = await openDocument();
      await press(app, "Download");
      return app;
    },
  },
  Decline: {
    given: () => {
      atAgreement();
      respondWith("post", "/api/share/tok/decline", 204);
    },
    make: decline,
    also: async (app) => {
      await arrivesAt(app, "/");
      await waitFor(() => expect(selectRecipient(app.store.getState())).toBeNull());
    },
  },
};

async function expectClipboard(text: string) {
  expect(await navigator.clipboard.readText()).toBe(text);
}

eachRow(
  "success messages",
  Object.keys(successes.sharing) as (keyof typeof successes.sharing)[],
  succeeding,
  expectSuccessToast(successes.sharing),
);

test("messages, Invalid or expired share token, and Token verification failure: logged", async () => {
  serve();
  record("GET /api/share/{accessToken}", [404]);
  const app = renderRoute("/view/tok");
  const title = otherFailures["Invalid or expired share token"];
  expect(await screen.findByRole("heading", { name: title })).toBeVisible();
  await waitFor(() =>
    expect(logged).toHaveBeenCalledWith("Failed to verify the share link", "404: Status text"),
  );
  expect(app.store.getState().toast.current).toBeNull();
});

test("messages, Comment fetch failure: logged, and nothing is shown", async () => {
  serve();
  atDocument();
  record("GET /api/comments", [503]);
  const app = await openDocument();
  await waitFor(() =>
    expect(logged).toHaveBeenCalledWith("Failed to load comments", "503: Status text"),
  );
  expect(app.store.getState().toast.current).toBeNull();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  await waitFor(() =>
    expect(selectRecipient(app.store.getState())).toEqual(aRecipient({ agreedToNda: true })),
  );
});
