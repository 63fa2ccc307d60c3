import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText } from "../pages/common";
import { agree, agreement, enterCode, giveDetails, submitDetails } from "../pages/recipient";
import { api } from "../support/api";
import { audit } from "../support/audit";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { loseAnswer } from "../support/network";
import { codeTo } from "../support/outbox";
import { saveDraft, shareFully, shareWith, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const rosa = { name: "Rosa Vole", email: "rosa@example.org" };
const content = "Ink that waits for its reader.";

describe("a reader whose connection breaks after each step", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let ideaId: number;

  beforeAll(async () => {
    environment = await startEnvironment("lost-answers");
    creator = await environment.person("lost-answers-creator");
    await signIn(creator, ada);
    ideaId = await saveDraft(creator, "Patient ink", `<p>${content}</p>`);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  const reader = (name: string) =>
    environment.person(`lost-answers-${name}`, [notSignedIn, /net::ERR_CONNECTION_RESET/]);

  /** Does something whose request to that path has no answer. */
  async function lost(page: Page, path: string | RegExp, act: () => Promise<void>): Promise<void> {
    const lose = await loseAnswer(page, path);
    await act();
    await lose();
  }

  /** Waits for what happened on a link, the newest first. */
  async function happened(): Promise<string[]> {
    const answer = await api(creator.context).get(`/api/ideas/${ideaId}/activity`);
    const entries: { type: string }[] = await answer.json();
    return entries.map(({ type }) => type);
  }

  test("sends each step again, and reads what was recorded once", async () => {
    const { page } = await reader("patient");
    const token = await shareWith(creator, ideaId, rosa.email);
    await page.goto(`/view/${token}`);
    await lost(page, "/api/recipients", () => giveDetails(page, rosa));
    await page.getByRole("alert").getByText("Failed to submit your information.").waitFor();
    expect(await page.getByLabel(/name/i).inputValue()).toBe(rosa.name);
    await submitDetails(page);

    const code = await codeTo(environment.server, rosa.email);
    await page.getByLabel("Code").waitFor();
    await lost(page, /\/verify$/, () => enterCode(page, code));
    await page.getByRole("alert").getByText("Failed to check the code.").waitFor();
    await page.getByRole("button", { name: "Confirm" }).click();

    await agreement(page).waitFor();
    await lost(page, /\/nda$/, () => agree(page));
    await page.getByRole("alert").getByText("it will be recorded only once").waitFor();
    await audit(page, "nda-unanswered");
    await page.getByRole("button", { name: "I Agree" }).click();
    await expectText(page, content);
    expect(await happened()).toEqual(["viewed", "agreed", "registered"]);
  });

  test("loads the page again, and need not register anew", async () => {
    const { page } = await reader("impatient");
    const token = await shareFully(creator, ideaId);
    await page.goto(`/view/${token}`);
    await giveDetails(page, rosa);
    await agreement(page).waitFor();
    await lost(page, /\/nda$/, () => agree(page));
    await page.getByRole("alert").getByText("it will be recorded only once").waitFor();
    await page.reload();
    await expectText(page, content);
    expect((await happened()).slice(0, 3)).toEqual(["viewed", "agreed", "registered"]);
  });
});
