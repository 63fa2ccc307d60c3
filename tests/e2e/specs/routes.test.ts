import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { audit } from "../support/audit";
import { deadLink, missingPage, notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { pdf } from "../support/files";
import {
  agreeTo,
  idOfLink,
  importPdf,
  publish,
  putOnPublicRecord,
  saveDraft,
  shareFully,
  signIn,
} from "../support/seed";

/**
 * Role of the visitor: not signed in, a creator with a session, or a recipient who accepted the
 * NDA.
 */
type Role = "visitor" | "creator" | "recipient";

interface Screen {
  /** The page's one h1. */
  heading: string;
  /** Final path, if redirected. */
  at?: string;
}

interface Route {
  path: string;
  visitor: Screen;
  creator: Screen;
  recipient: Screen;
}

const roles: Role[] = ["visitor", "creator", "recipient"];
const deadToken = "x".repeat(43);
/** Console message of a record that is off or unknown. */
const noRecord = /status of 404 .*\(\/api\/record\//;

const login: Screen = { heading: "Welcome back", at: "/login" };
const denied: Screen = { heading: "Access Denied" };
const missing: Screen = { heading: "404 Page Not Found" };
const record: Screen = { heading: "Public record" };
const noIdea: Screen = { heading: "Idea not found" };
const noShare: Screen = { heading: "Idea Portfolio", at: "/dashboard" };
const collect: Screen = { heading: "Ada Quill would like to show you an idea" };
const preview: Screen = { ...collect, at: "/preview/{share}" };
const shared: Screen = { heading: "Self-winding letter press", at: "/document/{token}" };

const sameForAll = (path: string, screen: Screen): Route => ({
  path,
  visitor: screen,
  creator: screen,
  recipient: screen,
});
const creatorsOnly = (path: string, screen: Screen): Route => ({
  ...sameForAll(path, login),
  creator: screen,
});
/** The owner of a link is led to its preview, so that the own name does not get on record. */
const gated = (path: string, at = path): Route => ({
  path,
  visitor: { ...collect, at },
  creator: preview,
  recipient: shared,
});

const routes: Route[] = [
  sameForAll("/", { heading: "Put your idea on record before you put it on the table." }),
  sameForAll("/login", login),
  sameForAll("/register", { heading: "Create your account" }),
  sameForAll("/forgot-password", { heading: "Reset Password" }),
  sameForAll("/reset-password", { heading: "This reset link no longer works" }),
  sameForAll(`/reset-password/${deadToken}`, { heading: "Choose a new password" }),
  sameForAll("/confirm-email", { heading: "This link no longer works" }),
  sameForAll("/my-documents", { heading: "Your documents" }),
  sameForAll(`/my-documents/${deadToken}`, { heading: "Your documents" }),
  sameForAll("/about", { heading: "About Us" }),
  sameForAll("/contact", { heading: "Contact" }),
  sameForAll("/privacy-policy", { heading: "Privacy Policy" }),
  sameForAll("/data-handling", { heading: "Data Handling" }),
  sameForAll("/terms", { heading: "Terms of Service" }),
  sameForAll("/privacy", { heading: "Privacy Policy" }),
  sameForAll("/verify", { heading: "Check evidence" }),
  sameForAll("/record/{document}", record),
  sameForAll("/record/unheard-of", record),
  sameForAll("/no/such/page", missing),
  ...["view", "collect", "nda", "document"].flatMap((screen) => [
    sameForAll(`/${screen}`, denied),
    sameForAll(`/${screen}/${deadToken}`, denied),
  ]),
  creatorsOnly("/dashboard", { heading: "Idea Portfolio" }),
  // Only now does the browser know that somebody is signed in.
  gated("/view/{token}"),
  gated("/collect/{token}"),
  gated("/collect?accessToken={token}"),
  gated("/nda/{token}", "/collect/{token}"),
  gated("/document/{token}", "/collect/{token}"),
  creatorsOnly("/profile", { heading: "Profile" }),
  creatorsOnly("/editor/new", { heading: "New idea" }),
  creatorsOnly("/editor/{draft}", { heading: "Edit idea" }),
  creatorsOnly("/editor/{published}", { heading: "Published idea" }),
  creatorsOnly("/editor/{imported}", { heading: "PDF Document: Loom" }),
  creatorsOnly("/editor/{canvas}", { heading: "Sketch of a press" }),
  creatorsOnly("/editor/{legacy}", { heading: "Old notes" }),
  creatorsOnly("/editor/{foreign}", noIdea),
  creatorsOnly("/editor/999999", noIdea),
  creatorsOnly("/editor/unheard-of", noIdea),
  creatorsOnly("/share/{draft}", { heading: "Share your idea" }),
  creatorsOnly("/share/{published}", { heading: "Share your idea" }),
  creatorsOnly("/share/{foreign}", noShare),
  creatorsOnly("/share/unheard-of", noShare),
  creatorsOnly("/preview/{share}", preview),
  creatorsOnly("/preview/unheard-of", { heading: "Preview" }),
  creatorsOnly("/evidence/{draft}", { heading: "Evidence of Folding loom" }),
  creatorsOnly("/evidence/{published}", { heading: "Evidence of Self-winding letter press" }),
  creatorsOnly("/evidence/{foreign}", noShare),
  creatorsOnly("/evidence/unheard-of", noShare),
  creatorsOnly("/readers", { heading: "Readers" }),
  creatorsOnly("/readers/{draft}", { heading: "Readers" }),
  creatorsOnly("/readers/{foreign}", noShare),
  creatorsOnly("/readers/unheard-of", noShare),
];

describe("every route, for every role", () => {
  const names: Record<string, string> = {};
  const people = {} as Record<Role, Person>;
  const audited = new Map<string, Promise<void>>();
  const titles = new Map(roles.map((role) => [role, new Map<string, string>()]));
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await startEnvironment("routes");
    const otherCreator = await environment.person("routes-other");
    people.visitor = await environment.person("routes-visitor", [
      missingPage,
      notSignedIn,
      noRecord,
      ...deadLink,
    ]);
    people.creator = await environment.person("routes-creator", [
      missingPage,
      noRecord,
      ...deadLink,
      /status of 404 .*\(\/api\/ideas\/\w+(\/evidence)?\)/,
      /status of 404 .*\(\/api\/shares\/unheard-of\/preview\)/,
    ]);
    people.recipient = await environment.person("routes-recipient", [
      missingPage,
      notSignedIn,
      noRecord,
      ...deadLink,
    ]);
    await Promise.all([
      signIn(people.creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" }),
      signIn(otherCreator, { name: "Max Frei", email: "max@example.org", password: "paper-paper" }),
    ]);
    const { creator } = people;
    const text = "<p>A pendulum stores the energy of each stroke.</p>";
    const published = await saveDraft(creator, "Self-winding letter press", text);
    await publish(creator, published);
    names.published = String(published);
    names.document = await putOnPublicRecord(creator, published);
    names.draft = String(await saveDraft(creator, "Folding loom", text));
    names.imported = String(await importPdf(creator, pdf("Loom.pdf", ["Warp", "Weft"]), "Loom"));
    names.canvas = String(
      await saveDraft(creator, "Sketch of a press", {
        elements: [
          {
            type: "rect",
            x: 40,
            y: 60,
            width: 220,
            height: 120,
            fill: "#e8e2d2",
            stroke: "#14213d",
          },
          { type: "text", x: 60, y: 100, text: "Flywheel", fontSize: 28, fill: "#14213d" },
          { type: "circle", x: 380, y: 120, radius: 60, fill: "#b03a2e" },
        ],
      }),
    );
    names.legacy = String(
      await saveDraft(creator, "Old notes", { problem: "Presses stop.", solution: "Springs." }),
    );
    names.foreign = String(await saveDraft(otherCreator, "Another's kettle", text));
    names.token = await shareFully(creator, published);
    names.share = await idOfLink(creator, names.token);
    const reader = { name: "Rosa Lindt", email: "rosa@example.com" };
    await agreeTo(people.recipient, names.token, reader);
  });

  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? name);

  test.each(routes)("$path", async (route) => {
    await Promise.all(roles.map((role) => visit(role, route)));
  });

  async function visit(role: Role, route: Route): Promise<void> {
    const { page } = people[role];
    const { heading, at = route.path } = route[role];
    await page.goto(filled(route.path));
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    const address = () => page.url().slice(new URL(page.url()).origin.length);
    await expect.poll(address, { message: `${role} at ${route.path}` }).toBe(filled(at));
    // A document may have headings of its own.
    const others = page.locator("h1:not(.prose-document h1)").filter({ hasNotText: heading });
    expect(await others.count(), `other h1 of ${route.path}`).toBe(0);
    titles.get(role)?.set(heading, await page.title());

    // Each screen is audited once, whatever its address or visitor.
    if (audited.has(heading)) return;
    const looking = audit(
      page,
      `route${at.replace(deadToken, "token").replace(/\W+/g, "-").replace(/-$/, "")}`,
    );
    audited.set(heading, looking);
    await looking;
  }

  test.each(roles)("every screen has a title of its own for a %s", (role) => {
    const all = [...(titles.get(role)?.values() ?? [])];
    expect(all.length).toBeGreaterThan(10);
    expect(new Set(all).size).toBe(all.length);
    for (const title of all) expect(title).toMatch(/ · IdeaVault$/);
  });
});
