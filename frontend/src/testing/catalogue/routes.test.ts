import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { neverRespond, respondWith, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { routes } from "./rows/routes";
import { arrivesAt } from "./testing/accountSteps";
import { serve } from "./testing/steps";
import { eachRow } from "./testing/table";

beforeEach(() => {
  serve();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const NOT_FOUND = "404 Page Not Found";
const TOKEN = "tok";

/** One path to a screen, and the first thing expected there: its heading, or another text. */
interface Way {
  readonly path: string;
  readonly shows: string | RegExp;
  /** Stage that the server reports for the link in the path. */
  readonly stage?: "collect" | "nda" | "open";
}

interface Route {
  readonly access: "public" | "signed-in";
  readonly ways: readonly Way[];
}

const open = (path: string, shows: Way["shows"]): Route => ({
  access: "public",
  ways: [{ path, shows }],
});

const closed = (...ways: readonly Way[]): Route => ({ access: "signed-in", ways });

/** A screen of the recipient flow, with the token in the path or in the query. */
const recipient = (screenPath: string, stage: Way["stage"], shows: Way["shows"]): Route => ({
  access: "public",
  ways: [`${screenPath}/${TOKEN}`, `${screenPath}?accessToken=${TOKEN}`].map((path) => ({
    path,
    shows,
    ...(stage ? { stage } : {}),
  })),
});

const table: Record<(typeof routes)[number], Route> = {
  "/": open("/", "Put your idea on record before you put it on the table."),
  "/login": open("/login", "Welcome back"),
  "/register": open("/register", "Create your account"),
  "/forgot-password": open("/forgot-password", "Reset Password"),
  "/collect/{accessToken}": recipient("/collect", "collect", /would like to show you an idea/),
  "/view/{accessToken}": recipient("/view", "collect", /would like to show you an idea/),
  "/nda/{accessToken}": recipient("/nda", "nda", "Non-disclosure agreement"),
  "/document/{accessToken}": recipient("/document", "open", "A kettle that waits"),
  "/about": open("/about", "About Us"),
  "/contact": open("/contact", "Contact"),
  "/privacy-policy": open("/privacy-policy", "Privacy Policy"),
  "/data-handling": open("/data-handling", "Data Handling"),
  "/terms": open("/terms", "Terms of Service"),
  "/privacy": open("/privacy", "Privacy Policy"),
  "/dashboard": closed({ path: "/dashboard", shows: "Idea Portfolio" }),
  "/editor/{id}": closed(
    { path: "/editor/new", shows: "Problem Statement" },
    { path: "/editor/7", shows: "Edit idea" },
  ),
  "/share/{id}": closed({ path: "/share/7", shows: "Share your idea" }),
  "/evidence/{id}": closed({ path: "/evidence/7", shows: "Evidence of Self-watering planter" }),
  "/verify": open("/verify", "Check evidence"),
  "/profile": closed({ path: "/profile", shows: "Profile" }),
  "any other path": open("/any/other/path", NOT_FOUND),
};

eachRow("routes", routes, table, async ({ access, ways }) => {
  if (access === "public") signedOut();
  for (const { path, shows, stage } of ways) {
    if (stage) respondWith("get", `/api/share/${TOKEN}`, 200, aSharedIdea(stage));
    const app = renderRoute(path);
    expect(await screen.findByRole("heading", { name: shows })).toBeVisible();
    expect(app.path()).toBe(path.replace(/\?.*/, ""));
    cleanup();
  }
});

const signedIn = Object.values(table).flatMap(({ access, ways }) =>
  access === "signed-in" ? ways.map(({ path }) => path) : [],
);

test.each(signedIn)("guard: %s redirects visitors to the login", async (path) => {
  localStorage.setItem("currentUser", JSON.stringify(aUser()));
  signedOut();
  await arrivesAt(renderRoute(path), "/login");
  await waitFor(() => expect(localStorage.getItem("currentUser")).toBeNull());
});

test.each(signedIn)("guard: %s shows 'Verifying access...'", async (path) => {
  neverRespond("get", "/api/auth/me");
  renderRoute(path);
  expect(await screen.findByText("Verifying access...")).toBeVisible();
});

test("guard: every navigation asks the server, and stores its user", async () => {
  const { router } = renderRoute("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  const calls = respondWith("get", "/api/auth/me", 200, aUser({ name: "Ada King" }));
  for (const path of ["/profile", "/editor/7", "/share/7", "/dashboard"]) {
    await router.navigate(path);
  }
  expect(calls.length).toBeGreaterThanOrEqual(4);
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null").name).toBe("Ada King");
});

test.each(["/collect", "/view", "/nda", "/document"])(
  "routes, %s without a token, and with an invalid one, denies access",
  async (path) => {
    const lookups = respondWith("get", "/api/share/tok", 404, { message: "Not found." });
    const { router } = renderRoute(path);
    const denial = "The link you're trying to access is invalid or has expired.";
    expect(await screen.findByText(denial)).toBeVisible();
    expect(lookups).toHaveLength(0);
    await router.navigate(`${path}/tok`);
    await waitFor(() => expect(lookups).not.toHaveLength(0));
    expect(await screen.findByText(denial)).toBeVisible();
  },
);

test.each([
  ["/nda/tok", "collect", "/collect/tok"],
  ["/document/tok", "collect", "/collect/tok"],
  ["/document/tok", "nda", "/nda/tok"],
] as const)("routes, %s at stage %s leads to %s", async (path, stage, expected) => {
  respondWith("get", "/api/share/tok", 200, aSharedIdea(stage));
  await arrivesAt(renderRoute(path), expected);
});

test("routes, not found: heading and text", async () => {
  renderRoute("/no/such/page");
  expect(await screen.findByRole("heading", { name: NOT_FOUND })).toBeVisible();
  expect(screen.getByText("Did you forget to add the page to the router?")).toBeVisible();
});
