import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectToast } from "../pages/common";
import { body, logIn } from "../pages/creator";
import { audit } from "../support/audit";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { saveDraft, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const bob = { name: "Bob Reed", email: "bob@example.org", password: "brass-and-ink" };

describe("a page whose owner signs out in another tab", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let idea: number;

  beforeAll(async () => {
    environment = await startEnvironment("ended-sessions");
    const other = await environment.person("ended-other");
    await signIn(other, bob);
    creator = await environment.person("ended-creator", [notSignedIn]);
    await signIn(creator, ada);
    idea = await saveDraft(creator, "Folding loom", "<p>It folds.</p>");
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("shows nothing to whoever comes next, and loses no text", async () => {
    const { page: editor, context } = creator;
    await editor.goto(`/editor/${idea}`);
    await body(editor).locator("p").last().click();
    await editor.keyboard.type("It also rolls. ");
    const share = await context.newPage();
    await share.goto(`/share/${idea}`);
    await share.getByRole("heading", { name: "Share your idea" }).waitFor();

    const tab = await context.newPage();
    await tab.goto("/about");
    await tab.getByRole("button", { name: "Account" }).click();
    await tab.getByRole("menuitem", { name: "Log Out" }).click();
    // The editor has kept its text in this browser.
    const question = tab.getByRole("alertdialog", { name: "Sign out without saving?" });
    await question.getByRole("button", { name: "Sign out" }).click();
    await tab.waitForURL("/login");
    await share.waitForURL("/login");
    await editor.getByRole("heading", { name: "You are signed out" }).waitFor();

    await logIn(tab, bob);
    await editor.getByRole("heading", { name: "Bob Reed is signed in now" }).waitFor();
    expect(await body(editor).isVisible()).toBe(false);
    await audit(editor, "ended-session-covered");

    await tab.getByRole("button", { name: "Account" }).click();
    await tab.getByRole("menuitem", { name: "Log Out" }).click();
    await tab.waitForURL("/login");
    await logIn(tab, ada);
    await body(editor).getByText("It also rolls.").waitFor();
    await editor.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(editor, "Idea updated successfully");
  });
});
