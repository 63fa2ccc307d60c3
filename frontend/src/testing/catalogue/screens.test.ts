import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, vi } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { respondWith } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { screens } from "./rows/screens";
import { sendResetLink } from "./testing/accountSteps";
import { openAssistant } from "./testing/ideaSteps";
import { type PageContent, readPage } from "./testing/readPage";
import { atAgreement, layOut, openShare, openWaitlist } from "./testing/sharingSteps";
import { press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";

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

type Name = keyof typeof screens;
type Opens = () => Promise<unknown> | unknown;

const at = (path: string) => () => renderRoute(path);
const idea = (over: Parameters<typeof anIdea>[0]) => () => {
  respondWith("get", "/api/ideas/7", 200, anIdea(over));
  renderRoute("/editor/7");
};
const pdf = { type: "pdf", fileName: "plan.pdf", pdfPath: "/api/files/x" } as const;
const published = { status: "published", documentId: "IV-7K3M-Q9TX-2B4N" } as const;
const shared = (over: Parameters<typeof aSharedIdea>[1]) => () => {
  respondWith("get", "/api/share/tok", 200, aSharedIdea("open", over));
  renderRoute("/document/tok");
};

const table: Record<Name, Opens> = {
  "Landing page": at("/"),
  "Landing page, 'Get Started' dialog": () => press(renderRoute("/"), "Get Started"),
  "Landing page, waitlist dialog": openWaitlist,
  Login: at("/login"),
  Register: at("/register"),
  "Forgot password": at("/forgot-password"),
  "Forgot password, sent": () => {
    respondWith("post", "/api/auth/forgot-password", 200, { success: true });
    return sendResetLink();
  },
  Dashboard: at("/dashboard"),
  "Dashboard, Account menu": () => press(renderRoute("/dashboard"), "Account"),
  "Editor, new": at("/editor/new"),
  "Editor, saved": at("/editor/7"),
  "Editor, published": idea(published),
  "Editor, PDF": idea({ contentKind: "pdf", content: pdf }),
  "Editor, legacy format": idea({ contentKind: "legacy", content: { body: "Old words" } }),
  "AI writing assistant": openAssistant,
  Share: at("/share/7"),
  "Share, by email": async () => {
    const { user } = await openShare();
    await user.click(screen.getByRole("radio", { name: "Share by Email (Full Access)" }));
  },
  Profile: at("/profile"),
  "Profile, password form": () => press(renderRoute("/profile"), "Change Password"),
  "Recipient details": at("/collect/tok"),
  NDA: () => {
    layOut(1000);
    atAgreement();
    const nda = aSharedIdea("nda", { idea: { documentId: published.documentId } });
    respondWith("get", "/api/share/tok", 200, nda);
    renderRoute("/nda/tok");
  },
  "Shared document": shared({ idea: published }),
  "Shared document, PDF": shared({ idea: { content: pdf } }),
  "Access Denied": at("/view"),
  About: at("/about"),
  Contact: at("/contact"),
  "Privacy Policy": at("/privacy-policy"),
  "Data Handling": at("/data-handling"),
  "Cookie banner": () => {
    localStorage.removeItem("cookieConsent");
    renderRoute("/about");
  },
};

/** The exact texts of a screen. */
interface Words extends Partial<Omit<PageContent, "links">> {
  readonly links?: Readonly<Record<string, string>>;
  readonly not?: readonly string[];
}

eachRow("screens", Object.keys(screens) as Name[], table, async (open, name) => {
  await open();
  const { not = [], links = {}, ...words }: Words = screens[name];
  await waitFor(() => {
    const page = readPage();
    expect(page.links).toEqual(expect.arrayContaining(Object.entries(links)));
    for (const [kind, expected] of Object.entries(words)) {
      expect(page[kind as keyof typeof words]).toEqual(expect.arrayContaining([...expected]));
    }
    const everything = [
      page.texts,
      page.buttons,
      page.fields,
      page.links.map(([text]) => text),
    ].flat();
    for (const text of not) expect(everything).not.toContain(text);
  });
});
