import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body } from "../pages/creator";
import { audit } from "../support/audit";
import type { Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { type LanguageModel, startLanguageModel } from "../support/languageModel";
import { saveDraft, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const failing = /status of 50[234] .*\/api\/ai-/;

describe("with a language model", () => {
  let model: LanguageModel;
  let environment: TestEnvironment;
  let creator: Person;
  let visitor: Person;

  beforeAll(async () => {
    model = await startLanguageModel();
    environment = await startEnvironment("assistance", {
      env: {
        IDEAVAULT_LLM_BASE_URL: model.baseUrl,
        IDEAVAULT_LLM_MODEL: "writer",
        IDEAVAULT_LLM_SEARCH_MODEL: "searcher",
      },
    });
    creator = await environment.person("assistance-creator", [failing]);
    visitor = await environment.person("assistance-visitor", [failing]);
    await signIn(creator, ada);
  });
  afterAll(async () => {
    await environment?.stop();
    await model?.stop();
  });
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("the assistant receives the selected text, and the conversation so far", async () => {
    const { page } = creator;
    model.replyWith({ content: "How large is **the pendulum**?" });
    const id = await saveDraft(creator, "Letter press", "<p>A pendulum stores energy.</p>");
    await page.goto(`/editor/${id}`);
    await body(page).getByText("A pendulum").click({ clickCount: 3 });
    await page.getByRole("button", { name: "Write with AI" }).click();
    await audit(page, "assistant-selection");
    await page.getByRole("button", { name: "Send it" }).click();
    const log = page.getByRole("log", { name: "Conversation" });
    await log.getByText("How large is the pendulum?").waitFor();
    await page.getByLabel("Your message").fill("One metre.");
    model.replyWith({ content: "Then it beats seconds." });
    await page.keyboard.press("Enter");
    await log.getByText("Then it beats seconds.").waitFor();
    const { model: name, messages } = model.asked.at(-1) ?? { model: "", messages: [] };
    expect(name).toBe("writer");
    expect(messages.map(({ role, content }) => `${role}: ${content}`).slice(1)).toEqual([
      "user: A pendulum stores energy.",
      "assistant: How large is **the pendulum**?",
      "user: One metre.",
    ]);
    await audit(page, "assistant-chat");
  });

  test("Copy All copies what the assistant wrote", async () => {
    const { page } = creator;
    await page.getByRole("button", { name: "Copy All" }).click();
    await page.getByRole("button", { name: "Copied!" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "How large is **the pendulum**?\n\nThen it beats seconds.",
    );
  });

  test("a message without a response returns to the input", async () => {
    const { page } = creator;
    model.failWith(500);
    await page.getByLabel("Your message").fill("And the weight?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await expect.poll(() => page.getByLabel("Your message").inputValue()).toBe("And the weight?");
    await audit(page, "assistant-failed");
    model.replyWith({ content: "Two kilograms." });
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("log").getByText("Two kilograms.").waitFor();
  });

  test("closing the window discards the chat", async () => {
    const { page } = creator;
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await body(page).click();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Write with AI" }).click();
    await expectText(page, "Start sharing your idea and I'll help you develop it!");
    await audit(page, "assistant-empty");
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  test("the search shows plain text and at most three sources", async () => {
    const { page } = visitor;
    model.replyWith({
      content: "## Similar ideas\n- **Kienzle** clocks, 1902",
      citations: [1, 2, 3, 4].map((number) => `https://source${number}.example.com/page`),
    });
    await page.goto("/");
    const agent = page.getByRole("region", { name: "Vault Agent" });
    await agent.getByRole("button", { name: "Search" }).click();
    await expectToast(page, "Please enter an idea");
    await agent.getByLabel("Your idea").fill("A press wound by its own strokes");
    await agent.getByRole("button", { name: "Search" }).click();
    await agent.getByText("• Kienzle clocks, 1902").waitFor();
    const sources = agent.getByRole("link");
    expect(await sources.count()).toBe(3);
    expect(await sources.first().textContent()).toContain("source1.example.com");
    expect(model.asked.at(-1)?.model).toBe("searcher");
    await audit(page, "search-answer");
    await agent.getByRole("button", { name: "Clear" }).click();
    expect(await sources.count()).toBe(0);
  });

  test("a search that fails is reported", async () => {
    const { page } = visitor;
    model.failWith(503);
    const agent = page.getByRole("region", { name: "Vault Agent" });
    await agent.getByLabel("Your idea").fill("A press wound by its own strokes");
    await agent.getByRole("button", { name: "Search" }).click();
    await agent.getByRole("alert").waitFor();
    await expectToast(page, "Search Error");
    await audit(page, "search-failed");
  });
});

describe("without a language model", () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await startEnvironment("assistance-none");
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("the search and the assistant report that they are not set up", async () => {
    const { page, context } = await environment.person("unassisted", [failing]);
    await page.goto("/");
    const agent = page.getByRole("region", { name: "Vault Agent" });
    await agent.getByLabel("Your idea").fill("A press");
    await agent.getByRole("button", { name: "Search" }).click();
    await agent
      .getByRole("alert")
      .getByText(/not (set up|configured)/)
      .waitFor();

    await signIn({ context } as Person, ada);
    await page.goto("/editor/new");
    await page.getByRole("button", { name: "Write with AI" }).click();
    await page.getByLabel("Your message").fill("Help me");
    await page.getByRole("button", { name: "Send" }).click();
    await expectText(page, "Write with AI Assistant");
    await page
      .getByRole("dialog")
      .getByRole("alert")
      .getByText(/not (set up|configured)/)
      .waitFor();
    await audit(page, "assistant-absent");
  });
});
