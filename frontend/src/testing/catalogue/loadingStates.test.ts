import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, vi } from "vitest";
import { findEditor } from "@/features/editor/testPage";
import { aRecipient, aSharedIdea } from "@/features/recipient/testing/fixtures";
import { neverRespond, respondWith } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { loadingStates } from "./rows/screens";
import { changePhoto } from "./testing/accountSteps";
import { askAssistant, importPdf, openDraft } from "./testing/ideaSteps";
import { agree, atAgreement } from "./testing/sharingSteps";
import { press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { record } from "./testing/wire";

vi.mock("@/pdf/loadEngine", () => ({
  loadEngine: () => new Promise(() => undefined),
  preloadEngine: () => undefined,
}));
vi.mock("@/pdf/fetchEngine", () => ({ fetchEngine: () => undefined }));
vi.mock("@/pdf/worker", () => ({
  acquireWorker: () => ({
    worker: { addEventListener: vi.fn(), terminate: vi.fn() },
    started: Promise.resolve(),
  }),
}));
beforeEach(() => {
  serve();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

/** Renders the page while a call never responds. */
const waitingFor = (path: string, at: string) => () => {
  neverRespond("get", path);
  renderRoute(at);
};

const upload = () => {
  neverRespond("post", "/api/ideas/pdf");
  return importPdf();
};

const table: Record<keyof typeof loadingStates, () => unknown> = {
  "Protected-route guard": waitingFor("/api/auth/me", "/dashboard"),
  "Dashboard, loading": waitingFor("/api/ideas", "/dashboard"),
  "Upload area, uploading": upload,
  "Upload area, please wait": upload,
  "Upload area, done": () => {
    record("POST /api/ideas/pdf", [201, { id: 7 }]);
    return importPdf();
  },
  "Editor, loading": waitingFor("/api/ideas/7", "/editor/7"),
  "Editor, publishing an unsaved idea": async () => {
    const { user } = renderRoute("/editor/new");
    await findEditor();
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  },
  "Editor, add link": async () => press(await openDraft(), "Add link"),
  "Editor, add video": async () => press(await openDraft(), "Add video"),
  "AI writing assistant, waiting": () => {
    neverRespond("post", "/api/ai-writing-assistant");
    return askAssistant();
  },
  "Share, loading": waitingFor("/api/ideas/7", "/share/7"),
  "Share, idea absent": () => {
    respondWith("get", "/api/ideas/7", 404, { message: "Not found." });
    renderRoute("/share/7");
  },
  "Profile, loading": () => {
    neverRespond("get", "/api/auth/me");
    // The first response passes the guard, the second is the page's own request.
    server.use(http.get("*/api/auth/me", () => HttpResponse.json(aUser()), { once: true }));
    renderRoute("/profile");
  },
  "Profile, image": () => {
    neverRespond("post", "/api/profile/image");
    return changePhoto();
  },
  "Recipient details, checking": waitingFor("/api/share/tok", "/collect/tok"),
  "NDA, declining": () => {
    atAgreement();
    return press(renderRoute("/nda/tok"), "Decline");
  },
  "NDA, agreeing": () => {
    atAgreement();
    neverRespond("put", `/api/recipients/${aRecipient().id}/nda`);
    return agree();
  },
  "Shared document, checking": waitingFor("/api/share/tok", "/document/tok"),
  "Shared document, loading": () => {
    const content = { type: "pdf", fileName: "plan.pdf", pdfPath: "/api/files/x" } as const;
    respondWith("get", "/api/share/tok", 200, aSharedIdea("open", { idea: { content } }));
    renderRoute("/document/tok");
  },
};

eachRow(
  "transient states",
  Object.keys(loadingStates) as (keyof typeof loadingStates)[],
  table,
  async (arrange, name) => {
    await arrange();
    expect((await screen.findAllByText(loadingStates[name])).length).toBeGreaterThan(0);
  },
);
