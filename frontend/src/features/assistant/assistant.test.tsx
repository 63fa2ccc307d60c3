import { act, screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { $getRoot, getNearestEditorFromDOMNode, UNDO_COMMAND } from "lexical";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import type { Idea } from "@/api/generated";
import { $exportHtml } from "@/features/editor/html/exportHtml";
import { neverRespond, respondWith, signedIn } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";

afterEach(() => vi.restoreAllMocks());

const CALL = "/api/ai-writing-assistant";
type User = ReturnType<typeof userEvent.setup>;

async function openEditor(over: Partial<Idea> = {}) {
  signedIn();
  respondWith("get", "/api/ideas/7", 200, anIdea(over));
  const app = renderRoute("/editor/7");
  const editable = await screen.findByRole("textbox", { name: "Idea" });
  return { ...app, editable };
}

async function openAssistant(user: User) {
  await user.click(screen.getByRole("button", { name: "Write with AI" }));
  const dialog = await screen.findByRole("dialog", { name: "Write with AI Assistant" });
  return within(dialog);
}

async function open() {
  const { user, ...rest } = await openEditor();
  const dialog = await openAssistant(user);
  const input = dialog.getByPlaceholderText("Continue the conversation...");
  await waitFor(() => expect(input).toHaveFocus());
  return { user, dialog, input, send: dialog.getByRole("button", { name: "Send" }), ...rest };
}

/** Every text of the dialog in its initial state. */
test.each(["Start sharing your idea and I'll help you develop it!", "Send", "Copy All"])(
  "an empty chat shows '%s'",
  async (text) => {
    const { dialog } = await open();
    expect(dialog.getByText(text)).toBeVisible();
  },
);

describe("the button", () => {
  it("is hidden once the idea is published", async () => {
    await openEditor({ status: "published", documentId: "IV-7K3M-Q9TX-2B4N" });
    expect(screen.queryByRole("button", { name: "Write with AI" })).not.toBeInTheDocument();
  });

  it("gets the focus back when the dialog closes", async () => {
    const { user } = await open();
    await user.keyboard("{Escape}");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Write with AI" })).toHaveFocus(),
    );
  });
});

describe("a chat", () => {
  it("sends with Enter, shows what it waits for, then the answer", async () => {
    const { user, dialog, input } = await open();
    neverRespond("post", CALL);
    await user.type(input, "A kettle{Enter}");
    expect(await dialog.findByText("AI is thinking...")).toBeVisible();
    expect(await dialog.findByText("A kettle")).toBeVisible();
    await waitFor(() => expect(input).toHaveValue(""));
    await waitFor(() => expect(input).toHaveFocus());
    expect(dialog.getByRole("log")).toHaveTextContent("A kettle");
  });

  it("starts a new line with Shift+Enter, and sends it with the button", async () => {
    const calls = respondWith("post", CALL, 200, { response: "Tell me more." });
    const { user, dialog, input, send } = await open();
    await user.type(input, "A{Shift>}{Enter}{/Shift}B");
    expect(input).toHaveValue("A\nB");
    await user.click(send);
    expect(await dialog.findByText("Tell me more.")).toBeVisible();
    expect(calls.map(({ body }) => body)).toEqual([{ message: "A\nB", conversationHistory: [] }]);
    await waitFor(() => expect(input).toHaveFocus());
  });

  it("sends what was said before, with ids, roles and times", async () => {
    const calls = respondWith("post", CALL, 200, { response: "Yes." });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    await dialog.findByText("Yes.");
    await user.type(input, "Two{Enter}");
    await waitFor(() => expect(calls).toHaveLength(2));
    const message = { id: expect.any(String), timestamp: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(calls[1]?.body).toEqual({
      message: "Two",
      conversationHistory: [
        { ...message, role: "user", content: "One" },
        { ...message, role: "assistant", content: "Yes." },
      ],
    });
  });

  it("ends with the window", async () => {
    respondWith("post", CALL, 200, { response: "Yes." });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    await dialog.findByText("Yes.");
    await user.click(dialog.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    const again = await openAssistant(user);
    expect(await again.findByText(/Start sharing your idea/)).toBeVisible();
    expect(again.queryByText("Yes.")).not.toBeInTheDocument();
  });

  it("stays open after a click beside the window", async () => {
    respondWith("post", CALL, 200, { response: "Yes." });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    await dialog.findByText("Yes.");
    const overlay = document.querySelector(".fixed.inset-0");
    await user.click(overlay ?? document.body);
    expect(dialog.getByText("Yes.")).toBeVisible();
  });

  it("starts with the selected text, after consent", async () => {
    const calls = respondWith("post", CALL, 200, { response: "A fine wick." });
    const { user, editable } = await openEditor();
    const editor = getNearestEditorFromDOMNode(editable);
    await act(async () => {
      editor?.update(() => void $getRoot().getFirstChild()?.selectStart(), { discrete: true });
      editor?.update(() => void $getRoot().select(0, 1), { discrete: true });
    });
    const dialog = await openAssistant(user);
    const [offered] = await dialog.findAllByText(/Show what is sent/);
    if (offered) await user.click(offered);
    expect(dialog.getAllByText("Water wicks up.")[0]).toBeVisible();
    expect(calls).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Send it" }));
    expect(await dialog.findByText("A fine wick.")).toBeVisible();
    expect(calls.map(({ body }) => body)).toEqual([
      { message: "Water wicks up.", conversationHistory: [] },
    ]);
  });

  it("no longer offers the selected text once the chat has begun", async () => {
    respondWith("post", CALL, 200, { response: "Yes." });
    const { user, editable } = await openEditor();
    const editor = getNearestEditorFromDOMNode(editable);
    await act(async () => {
      editor?.update(() => void $getRoot().select(0, 1), { discrete: true });
    });
    const dialog = await openAssistant(user);
    expect(dialog.getByText("Start with the text you selected?")).toBeVisible();
    await user.type(dialog.getByLabelText("Your message"), "One{Enter}");
    await dialog.findByText("Yes.");
    expect(dialog.queryByText("Start with the text you selected?")).not.toBeInTheDocument();
  });

  it("sends the idea's text with one message, after consent", async () => {
    const calls = respondWith("post", CALL, 200, { response: "Yes." });
    const { user, dialog, input } = await open();
    await user.click(dialog.getByRole("checkbox", { name: /Send my idea’s text/ }));
    await user.type(input, "One{Enter}");
    await dialog.findByText("Yes.");
    expect(dialog.getByRole("checkbox", { name: /Send my idea’s text/ })).not.toBeChecked();
    await user.type(input, "Two{Enter}");
    await waitFor(() => expect(calls).toHaveLength(2));
    const sent = calls.map(({ body }) => JSON.stringify(body));
    expect(calls[0]?.body).toMatchObject({
      message: "One\n\nThis is my idea as it stands:\n\nWater wicks up.",
    });
    expect(sent[1]).not.toContain("Water wicks up.");
  });

  it("shows the formatting of an answer", async () => {
    respondWith("post", CALL, 200, { response: "## Next\n\n- **one**" });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    expect(await dialog.findByText("one")).toHaveProperty("tagName", "STRONG");
    expect(dialog.getByRole("heading", { name: "Next" })).toBeVisible();
  });

  it.each([
    [
      "Insert into idea",
      "<p>Water wicks up.</p><h2>Next</h2><ul><li><strong>one</strong></li></ul>",
    ],
    ["Replace whole text", "<h2>Next</h2><ul><li><strong>one</strong></li></ul>"],
  ])("inserts an answer into the idea by '%s', in one step", async (name, expected) => {
    respondWith("post", CALL, 200, { response: "## Next\n\n- **one**" });
    const { user, dialog, input, editable } = await open();
    const editor = getNearestEditorFromDOMNode(editable);
    await user.type(input, "One{Enter}");
    await user.click(await dialog.findByRole("button", { name }));
    const html = () => editor?.read($exportHtml);
    await waitFor(() => expect(html()).toBe(expected));
    await act(async () => void editor?.dispatchCommand(UNDO_COMMAND, undefined));
    await waitFor(() => expect(html()).toBe("<p>Water wicks up.</p>"));
  });

  it("scrolls to the beginning of the newest message after 100 ms", async () => {
    respondWith("post", CALL, 200, { response: "Yes." });
    const { user, dialog, input } = await open();
    const log = dialog.getByRole("log");
    // jsdom has no layout: the response begins 516 px below the top of the log.
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (
      this: Element,
    ) {
      return new DOMRect(0, this.textContent.startsWith("AIYes.") ? 516 : 0);
    });
    await user.type(input, "One{Enter}");
    await dialog.findByText("Yes.");
    await waitFor(() => expect(log.scrollTop).toBe(500));
  });
});

test.each([
  ["![x](https://evil.example/x.png)", "x"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  [
    "[link](javascript:alert(1)) https://evil.example/",
    "link (javascript:alert(1)) https://evil.example/",
  ],
])("an answer loads nothing and has no unsafe link: %s", async (response, text) => {
  respondWith("post", CALL, 200, { response });
  const { user, dialog, input } = await open();
  await user.type(input, "One{Enter}");
  expect((await dialog.findByText(text)).children).toHaveLength(0);
  expect(dialog.getByRole("log").querySelectorAll("a, img")).toHaveLength(0);
});

describe("blank messages", () => {
  it("are ignored, and Send is disabled while blank or waiting", async () => {
    const calls = neverRespond("post", CALL);
    const { user, input, send } = await open();
    expect(send).toBeDisabled();
    await user.type(input, "  {Enter}");
    expect(send).toBeDisabled();
    expect(calls).toHaveLength(0);
    await user.type(input, "A{Enter}");
    await waitFor(() => expect(input).toHaveValue(""));
    await user.type(input, "B{Enter}");
    expect(send).toBeDisabled();
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(input).toHaveValue("B");
  });
});

/** Failures of the assistant (docs/rules.md#ui-assistant). */
test.each([
  [
    "the server's message",
    503,
    { message: "No language model is set up." },
    "No language model is set up.",
  ],
  ["its own text for an error without one", 500, {}, "Failed to get AI response"],
  ["its own text for an answer without text", 200, { response: "  " }, "Failed to get AI response"],
  ["its own text for an answer of another form", 200, { reply: 1 }, "Failed to get AI response"],
])("a failure shows %s and restores the message", async (_, status, body, text) => {
  respondWith("post", CALL, status, body);
  const { user, dialog, input } = await open();
  await user.type(input, "A kettle{Enter}");
  expect(await dialog.findByRole("alert")).toHaveTextContent(text);
  expect(await screen.findByText("Error")).toBeInTheDocument();
  await waitFor(() => expect(input).toHaveValue("A kettle"));
  await waitFor(() => expect(dialog.getByRole("log")).not.toHaveTextContent("A kettle"));
});

describe("Copy All", () => {
  it("copies what the assistant wrote and says so for 2 seconds", async () => {
    respondWith("post", CALL, 200, { response: "First." });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    await dialog.findByText("First.");
    respondWith("post", CALL, 200, { response: "Second." });
    await user.type(input, "Two{Enter}");
    await dialog.findByText("Second.");
    const button = dialog.getByRole("button", { name: "Copy All" });
    const timers = deferTimers(2000);
    await user.click(button);
    await waitFor(() => expect(button).toHaveTextContent("Copied!"));
    expect(await navigator.clipboard.readText()).toBe("First.\n\nSecond.");
    await waitFor(() =>
      expect(dialog.getByRole("status")).toHaveTextContent(
        "Copied! AI-generated content copied to clipboard.",
      ),
    );
    await waitFor(() => expect(timers.count()).toBe(1));
    await timers.release();
    await waitFor(() => expect(button).toHaveTextContent("Copy All"));
  });

  it("has nothing to copy before the first answer", async () => {
    const { user, dialog } = await open();
    await user.click(dialog.getByRole("button", { name: "Copy All" }));
    expect(await screen.findByText("Nothing to copy")).toBeInTheDocument();
    expect(await screen.findByText("No AI-generated content available yet.")).toBeInTheDocument();
  });

  it("reports when the browser refuses", async () => {
    respondWith("post", CALL, 200, { response: "First." });
    const { user, dialog, input } = await open();
    await user.type(input, "One{Enter}");
    await dialog.findByText("First.");
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
    await user.click(dialog.getByRole("button", { name: "Copy All" }));
    expect(await screen.findByText("Copy failed")).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Copy All" })).toBeVisible();
  });
});

test("a message that would make the conversation too long is not sent", async () => {
  const calls = respondWith("post", CALL, 200, { response: "Yes." });
  const { user, dialog, input, send } = await open();
  await user.click(input);
  await user.paste("ä".repeat(32 * 1024));
  await waitFor(() => expect(send).toBeEnabled());
  await user.keyboard("x{Enter}");
  expect(await dialog.findByText(/would be longer than 64 KiB/)).toBeVisible();
  await waitFor(() => expect(send).toBeDisabled());
  expect(calls).toHaveLength(0);
});
