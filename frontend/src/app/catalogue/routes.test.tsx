import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer, signedIn, signedOut } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

/** Rows of spec section 2, route table: path and the heading of its screen. */
const publicRoutes = [
  ["/", "Put your idea on record before you put it on the table."],
  ["/login", "Welcome back"],
  ["/register", "Create your account"],
  ["/forgot-password", "Reset Password"],
  ["/about", "About Us"],
  ["/contact", "Contact"],
  ["/privacy-policy", "Privacy Policy"],
  ["/data-handling", "Data Handling"],
  ["/terms", "404 Page Not Found"],
  ["/privacy", "404 Page Not Found"],
  ["/any/other/path", "404 Page Not Found"],
] as const;

test.each(publicRoutes)("section 2, %s is public: %s", async (path, heading) => {
  const app = renderRoute(path);
  expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeVisible();
  expect(app.path()).toBe(path);
});

test.each(["/collect", "/view", "/nda", "/document"])(
  "section 2, %s takes a token in its path, and denies access without one",
  async (path) => {
    const calls = answer("get", "/api/share/tok", 404, { message: "Not found." });
    const { router } = renderRoute(path);
    const denial = "The link you're trying to access is invalid or has expired.";
    expect(await screen.findByText(denial)).toBeVisible();
    expect(calls).toHaveLength(0);
    await router.navigate(`${path}/tok`);
    await waitFor(() => expect(calls.length).toBeGreaterThan(0));
    expect(await screen.findByText(denial)).toBeVisible();
  },
);

const signedInRoutes = ["/dashboard", "/editor/new", "/editor/7", "/share/7", "/profile"];

test.each(signedInRoutes)("section 2, %s sends visitors to the login", async (path) => {
  localStorage.setItem("currentUser", "{}");
  signedOut();
  const app = renderRoute(path);
  await waitFor(() => expect(app.path()).toBe("/login"));
  expect(localStorage.getItem("currentUser")).toBeNull();
});

test.each(signedInRoutes)("section 2, %s opens for creators", async (path) => {
  signedIn();
  answer("get", "/api/ideas", 200, []);
  answer("get", "/api/ideas/7", 200, anIdea());
  answer("get", "/api/ideas/7/shares", 200, []);
  answer("get", "/api/ideas/7/activity", 200, []);
  answer("get", "/api/comments", 200, []);
  const app = renderRoute(path);
  // An idea's own headings may stand beside the screen's.
  const [heading] = await screen.findAllByRole("heading", { level: 1 });
  expect(heading).toBeVisible();
  expect(app.path()).toBe(path);
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toMatchObject({
    email: "ada@example.org",
  });
});
