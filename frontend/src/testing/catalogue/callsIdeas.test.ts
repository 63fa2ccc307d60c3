import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { aListedIdea, anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { calls } from "./rows/calls";
import { arrivesAt } from "./testing/accountSteps";
import { type CallRow, checkCall, otherAnswers } from "./testing/calls";
import {
  askAssistant,
  createIdea,
  deleteIdea,
  importPdf,
  type openDraft,
  publishIdea,
  saveIdea,
  typeMessage,
  uploadImage,
} from "./testing/ideaSteps";
import { eachRow } from "./testing/table";

const file = "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";
const asset = { id: "a1", fileName: "boat.png", filePath: file, createdAt: "2026-11-20T10:00:00Z" };
const editable = () => screen.getByRole("textbox", { name: "Idea" });

/** Expects the dashboard to reload its list of ideas after a change. */
async function expectsFreshList(app: Awaited<ReturnType<typeof openDraft>>) {
  const lists = respondWith("get", "/api/ideas", 200, [aListedIdea({ title: "Changed" })]);
  await app.router.navigate("/dashboard");
  expect(await screen.findByText("Idea (7) : Changed")).toBeVisible();
  expect(lists).toHaveLength(1);
}

/** Serves one draft at first and none afterwards. */
function listsOneDraftThenNone() {
  respondWith("get", "/api/ideas", 200, []);
  server.use(http.get("*/api/ideas", () => HttpResponse.json([aListedIdea()]), { once: true }));
}

const table: Record<(typeof calls.ideas)[number], CallRow> = {
  "GET /api/ideas": {
    to: "/api/ideas?archived=true",
    reply: [200, [aListedIdea(), aListedIdea({ id: 8, title: "Boat", status: "published" })]],
    make: async () => renderRoute("/dashboard"),
    used: async () => {
      const drafts = within(await screen.findByRole("region", { name: "Drafts" }));
      const published = within(await screen.findByRole("region", { name: "Published" }));
      expect(await drafts.findByText("Idea (7) : Self-watering planter")).toBeVisible();
      expect(published.getByText("Idea (8) : Boat")).toBeVisible();
    },
    otherwise: [{ reply: [500], shows: async () => void (await offersToTryAgain()) }],
  },
  "GET /api/ideas/{id}": {
    to: "/api/ideas/7",
    reply: [200, anIdea({ title: "Boat", content: "<h2>Hull</h2>" })],
    make: async () => renderRoute("/editor/7"),
    used: async () => {
      expect(await screen.findByDisplayValue("Boat")).toBeVisible();
      const text = within(await screen.findByRole("textbox", { name: "Idea" }));
      expect(await text.findByRole("heading", { level: 2, name: "Hull" })).toBeVisible();
      expect(await screen.findByRole("button", { name: "Publish" })).toBeVisible();
    },
    otherwise: [
      {
        reply: [404],
        shows: async () => void (await screen.findByRole("heading", { name: "Idea not found" })),
      },
      { reply: "no answer", shows: async () => void (await offersToTryAgain()) },
    ],
  },
  "POST /api/ideas": {
    to: "/api/ideas",
    // The session keeps a save from discarding the unsaved text of another one.
    json: {
      title: "Boat",
      content: expect.stringMatching(/^<h1>My Idea<\/h1>/),
      session: expect.any(String),
    },
    reply: [201, anIdea({ id: 12, title: "Boat" })],
    make: createIdea,
    used: async (app) => {
      await arrivesAt(app, "/editor/12");
      await expectsFreshList(app);
    },
  },
  "PUT /api/ideas/{id}": {
    to: "/api/ideas/7",
    // The revision keeps a save from overwriting a newer one.
    json: {
      title: "Planter",
      content: "<p>Water wicks up.</p>",
      baseRevision: 1,
      session: expect.any(String),
    },
    reply: [200, anIdea({ title: "Planter", revision: 2 })],
    make: saveIdea,
    used: async (app) => {
      expect(await screen.findByText("Saved")).toBeVisible();
      await expectsFreshList(app);
    },
  },
  "PUT /api/ideas/{id}/publish": {
    to: "/api/ideas/7/publish?baseRevision=1",
    reply: [200, anIdea({ status: "published", documentId: "IV-7K3M-Q9TX-2B4N" })],
    make: publishIdea,
    used: async (app) => {
      expect(await screen.findByRole("link", { name: "Share It" })).toBeVisible();
      await expectsFreshList(app);
    },
  },
  "DELETE /api/ideas/{id}": {
    to: "/api/ideas/7",
    reply: [204],
    given: listsOneDraftThenNone,
    make: deleteIdea,
    used: async () => void (await screen.findByText("No drafts yet")),
  },
  "POST /api/ideas/pdf": {
    to: "/api/ideas/pdf",
    form: { file: { file: "application/pdf" }, title: "Planter" },
    cache: "default",
    reply: [201, { id: 7 }],
    given: listsOneDraftThenNone,
    make: () => importPdf(),
    used: async (app) => {
      await screen.findByText("No drafts yet");
      await arrivesAt(app, "/editor/7");
    },
  },
  "GET /api/assets": {
    to: "/api/assets",
    reply: [200, [asset, { ...asset, id: "a2", fileName: "kettle.png" }]],
    make: async () => renderRoute("/dashboard"),
    used: async () => {
      const column = within(await screen.findByRole("region", { name: "My Assets" }));
      expect(await column.findByText("2")).toBeVisible();
      expect(column.getByRole("img", { name: "boat.png" })).toHaveAttribute("src", file);
      expect(column.getByRole("img", { name: "kettle.png" })).toBeVisible();
    },
    otherwise: [{ reply: [500], shows: async () => void (await offersToTryAgain()) }],
  },
  "POST /api/upload/image": {
    to: "/api/upload/image",
    form: { image: { file: "image/png" }, ideaId: "7" },
    reply: [201, { url: file }],
    given: () => {
      respondWith("put", "/api/ideas/7", 200, anIdea());
    },
    make: async () => {
      // The assets are cached already, so that only a reload can show the new one.
      const app = renderRoute("/dashboard");
      await screen.findByText("No assets uploaded yet");
      return uploadImage(app);
    },
    used: async (app) => {
      await waitFor(() => expect(editable().querySelector("img")).toHaveAttribute("src", file));
      await app.user.click(screen.getByRole("button", { name: "Save Changes" }));
      await screen.findByText("Idea updated successfully");
      respondWith("get", "/api/assets", 200, [asset]);
      await app.router.navigate("/dashboard");
      expect(await screen.findByRole("img", { name: "boat.png" })).toBeVisible();
    },
  },
  "POST /api/ai-writing-assistant": {
    to: "/api/ai-writing-assistant",
    json: { message: "A kettle", conversationHistory: [] },
    reply: [200, { response: "Tell me more." }],
    make: askAssistant,
    used: async (app, sent) => {
      expect(await screen.findByText("Tell me more.")).toBeVisible();
      await typeMessage(app, "It waits");
      await waitFor(() => expect(sent).toHaveLength(2));
      const known = { id: expect.any(String), timestamp: expect.stringMatching(/^2\d{3}-.*Z$/) };
      expect(sent[1]?.body).toEqual({
        message: "It waits",
        conversationHistory: [
          { ...known, role: "user", content: "A kettle" },
          { ...known, role: "assistant", content: "Tell me more." },
        ],
      });
    },
  },
};

const offersToTryAgain = () => screen.findAllByRole("button", { name: /^Try again$/i });

eachRow("calls", calls.ideas, table, checkCall);

test.each(otherAnswers(table))("calls, %s: what follows %s", (_call, _reply, run) => run());
