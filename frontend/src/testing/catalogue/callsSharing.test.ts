import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { pause } from "@/features/recipient/pause";
import { aComment, aRecipient, aSharedIdea } from "@/features/recipient/testing/fixtures";
import { selectRecipient } from "@/features/recipient/visit";
import { respondWith } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { calls } from "./rows/calls";
import { arrivesAt } from "./testing/accountSteps";
import { type CallRow, checkCall, otherAnswers } from "./testing/calls";
import {
  agree,
  agreementText,
  atAgreement,
  atDocument,
  comment,
  createShare,
  giveDetails,
  joinWaitlist,
  openDocument,
  openShare,
  search,
} from "./testing/sharingSteps";
import { eachRow } from "./testing/table";

vi.mock("@/features/recipient/pause", { spy: true });

beforeEach(() => {
  vi.mocked(pause).mockResolvedValue();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const recipient = aRecipient();
const denied = async () => {
  expect(await screen.findByRole("heading", { name: "Access Denied" })).toBeVisible();
  expect(
    screen.getByText("The link you're trying to access is invalid or has expired."),
  ).toBeVisible();
};

const table: Record<(typeof calls.sharing)[number], CallRow> = {
  "GET /api/ideas/{id}/shares": {
    to: "/api/ideas/7/shares",
    reply: [200, [aShare({ shareType: "one-time", maxViews: 3, viewCount: 1 })]],
    make: openShare,
    used: async () => {
      const list = within(await screen.findByRole("region", { name: "Active Share Links" }));
      expect(await list.findByText("Views: 1 / 3")).toBeVisible();
      expect(list.getByText("One-time view")).toBeVisible();
    },
    otherwise: [
      {
        reply: [500],
        shows: async () => void (await screen.findByRole("button", { name: "Try again" })),
      },
    ],
  },
  "POST /api/shares": {
    to: "/api/shares",
    json: {
      shareType: "time-dependent",
      ideaId: 7,
      expiresAt: new Date("2099-01-02T03:04").toISOString(),
      maxViews: 4,
      recipientEmail: null,
    },
    reply: [201, aShare({ accessLink: "fresh" })],
    given: () => {
      respondWith("get", "/api/ideas/7/shares", 200, [
        aShare({ accessLink: "fresh", viewCount: 5 }),
      ]);
      const none = () => HttpResponse.json([]);
      server.use(http.get("*/api/ideas/7/shares", none, { once: true }));
    },
    make: () =>
      createShare("Time-dependent (expires after a period)", {
        "Expiration Date": "2099-01-02T03:04",
        "Maximum Views": "4",
      }),
    used: async () => {
      const link = await screen.findByRole("textbox", { name: "Your new link" });
      expect(link).toHaveValue("http://localhost:3000/view/fresh");
      expect(link).toHaveAttribute("readonly");
      expect(await screen.findByText("Views: 5")).toBeVisible();
    },
  },
  "GET /api/share/{accessToken}": {
    to: "/api/share/tok",
    reply: [
      200,
      aSharedIdea("open", {
        shareType: "one-time",
        idea: { status: "published", documentId: "IV-7K3M-Q9TX-2B4N" },
      }),
    ],
    make: async () => renderRoute("/document/tok"),
    used: async (app) => {
      expect(await screen.findByRole("heading", { name: "A kettle that waits" })).toBeVisible();
      expect(await screen.findByText("Water wicks up.")).toBeVisible();
      const footer = await screen.findByRole("region", { name: "Verification" });
      expect(footer).toHaveTextContent("IV-7K3M-Q9TX-2B4N");
      expect(footer).toHaveTextContent("Ada Lovelace");
      await app.user.click(screen.getByRole("button", { name: "Close" }));
      expect(await screen.findByRole("alertdialog")).toHaveTextContent("cannot be viewed again");
    },
    otherwise: ([[404], [410], [500], "no answer"] as const).map((reply) => ({
      reply,
      shows: denied,
    })),
  },
  "POST /api/recipients": {
    to: "/api/recipients",
    json: {
      name: "Grace Hopper",
      email: "grace@example.org",
      phone: "+41 44 000 00 00",
      accessToken: "tok",
    },
    reply: [201, recipient],
    given: () => {
      atAgreement();
      const unknown = () => HttpResponse.json(aSharedIdea("collect"));
      server.use(http.get("*/api/share/tok", unknown, { once: true }));
    },
    make: () => giveDetails("+41 44 000 00 00"),
    used: async (app) => {
      await arrivesAt(app, "/nda/tok");
      await waitFor(() => expect(selectRecipient(app.store.getState())).toEqual(recipient));
    },
  },
  "PUT /api/recipients/{id}/nda": {
    to: `/api/recipients/${recipient.id}/nda`,
    json: { agreed: true },
    reply: [200, { ...recipient, agreedToNda: true }],
    given: atAgreement,
    make: async () => {
      const app = renderRoute("/nda/tok");
      await agreementText();
      // The next stage is requested only after the agreement.
      atDocument();
      await agree(app);
      return app;
    },
    used: async (app) => {
      await arrivesAt(app, "/document/tok");
      await waitFor(() => expect(selectRecipient(app.store.getState())?.agreedToNda).toBe(true));
    },
  },
  "GET /api/comments?ideaId={id}": {
    to: "/api/comments?ideaId=7",
    reply: [200, [aComment({ content: "Please tell me." })]],
    given: atDocument,
    make: openDocument,
    used: async () => void (await screen.findByText("Please tell me.")),
  },
  "POST /api/comments": {
    to: "/api/comments",
    json: { recipientId: recipient.id, author: "Grace Hopper", content: "Clever" },
    reply: [201, aComment({ id: "mine", content: "Clever" })],
    given: atDocument,
    make: comment,
    used: async () => void (await screen.findByText("Clever", { selector: "li *" })),
  },
  "POST /api/ai-search": {
    to: "/api/ai-search",
    json: { query: "A planter" },
    reply: [200, { response: "- **Wick**", citations: ["https://one.example/a"] }],
    make: search,
    used: async () => {
      expect(await screen.findByText("• Wick")).toBeVisible();
      expect(screen.getByRole("link", { name: /^one\.example/ })).toHaveAttribute(
        "href",
        "https://one.example/a",
      );
    },
  },
  "POST /api/waitlist": {
    to: "/api/waitlist",
    json: { name: "Ada", email: "ada@example.org", profession: "Engineer" },
    reply: [200],
    make: joinWaitlist,
    used: async () => void (await screen.findByRole("dialog", { name: "Thank you!" })),
  },
};

eachRow("calls", calls.sharing, table, checkCall);

test.each(otherAnswers(table))("calls, %s: what follows %s", (_call, _reply, run) => run());
