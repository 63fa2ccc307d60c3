import { act, screen, waitFor, within } from "@testing-library/react";
import { $getSelection, $selectAll, type LexicalEditor } from "lexical";
import { delay, HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { REFUSED_ON_THE_WAY } from "@/api/http";
import { server } from "@/testing/server";
import { htmlOf } from "../extensions/testEditor";
import { messages } from "../messages";
import { button, editable, openIdea } from "../testPage";

const FILE_URL = "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";
const picture = () => new File(["x"], "boat-sketch.png", { type: "image/png" });

async function openSelected() {
  const page = await openIdea();
  await selectAll(page.editor);
  return page;
}

async function selectAll(editor: LexicalEditor): Promise<void> {
  await act(async () => editor.update(() => void $selectAll(), { discrete: true }));
}

function answerUpload(response: () => Response) {
  const forms: FormData[] = [];
  server.use(
    http.post("*/api/upload/image", async ({ request }) => {
      forms.push(await request.formData());
      await delay(20);
      return response();
    }),
  );
  return forms;
}

describe("the toolbar", () => {
  it("has every action, by name", async () => {
    await openSelected();
    const toolbar = screen.getByRole("toolbar", { name: "Formatting" });
    const names = within(toolbar)
      .getAllByRole("button")
      .map((item) => item.getAttribute("aria-label"));
    expect(names).toEqual([
      "Undo",
      "Redo",
      "Paragraph",
      "Heading 1",
      "Heading 2",
      "Heading 3",
      "Bold",
      "Italic",
      "Strikethrough",
      "Code",
      "Subscript",
      "Superscript",
      "Highlight",
      "Text colour",
      "Bullet list",
      "Ordered list",
      "Quote",
      "Code block",
      "Horizontal rule",
      "Add table",
      "Add link",
      "Add image",
      "Add video",
    ]);
  });

  it("shows the formats of the selection and changes them", async () => {
    const { editor, user } = await openSelected();
    await waitFor(() => expect(button("Paragraph")).toHaveAttribute("aria-pressed", "true"));
    await user.click(button("Bold"));
    await waitFor(() => expect(button("Bold")).toHaveAttribute("aria-pressed", "true"));
    await user.click(button("Heading 2"));
    await waitFor(() => expect(htmlOf(editor)).toBe("<h2><strong>Water wicks up.</strong></h2>"));
  });

  it("is one tab stop, and arrow keys move inside", async () => {
    const { user } = await openSelected();
    act(() => button("Undo").focus());
    await user.keyboard("{ArrowRight}{ArrowRight}");
    await waitFor(() => expect(button("Paragraph")).toHaveFocus());
    await user.keyboard("{End}");
    await waitFor(() => expect(button("Add video")).toHaveFocus());
    await user.keyboard("{ArrowRight}");
    await waitFor(() => expect(button("Undo")).toHaveFocus());
    await user.keyboard("{ArrowLeft}{Home}{ArrowRight}");
    const stops = screen.getAllByRole("button").filter((item) => item.tabIndex === 0);
    expect(stops).toContain(button("Redo"));
    expect(stops).not.toContain(button("Bold"));
  });

  it("disables Undo when there is nothing to undo, without losing focus", async () => {
    await openIdea();
    await waitFor(() => expect(button("Undo")).toHaveAttribute("aria-disabled", "true"));
    await waitFor(() => expect(button("Redo")).toHaveAttribute("aria-disabled", "true"));
  });

  it("colours text from the palette and resets it", async () => {
    const { editor, user } = await openSelected();
    await user.click(button("Text colour"));
    const palette = await screen.findByRole("dialog", { name: "Text colour" });
    expect(within(palette).getAllByRole("radio")).toHaveLength(21);
    await user.click(within(palette).getByRole("radio", { name: "Blue" }));
    await waitFor(() =>
      expect(htmlOf(editor)).toBe('<p><span style="color:#1a56b0">Water wicks up.</span></p>'),
    );
    await waitFor(() => expect(palette).not.toBeInTheDocument());
    await selectAll(editor);
    await user.click(button("Text colour"));
    await user.click(await screen.findByRole("button", { name: "Reset to default" }));
    await waitFor(() => expect(htmlOf(editor)).toBe("<p>Water wicks up.</p>"));
  });

  it("previews colours by arrow keys on the text that was selected", async () => {
    const { editor, user } = await openSelected();
    await user.click(button("Text colour"));
    const palette = await screen.findByRole("dialog", { name: "Text colour" });
    const [first, second, third] = within(palette).getAllByRole<HTMLInputElement>("radio");
    act(() => first?.focus());
    await user.keyboard("{ArrowRight}");
    await waitFor(() => expect(second).toBeChecked());
    // A browser would move it when its text nodes are replaced.
    expect(getSelection()?.rangeCount).toBe(0);
    await user.keyboard("{ArrowRight}{Enter}");
    const color = third?.style.backgroundColor;
    await waitFor(() => expect(palette).not.toBeInTheDocument());
    await waitFor(() => expect(editable().querySelector("[style]")).toHaveStyle({ color }));
    expect(editor.read(() => $getSelection()?.getTextContent())).toBe("Water wicks up.");
  });
});

describe("the link dialog", () => {
  it("prompts, links, offers the address again and removes the link", async () => {
    const { editor, user } = await openSelected();
    await user.click(button("Add link"));
    await user.type(await screen.findByLabelText("Enter URL:"), "example.com{Enter}");
    await waitFor(() =>
      expect(htmlOf(editor)).toContain('<a href="http://example.com" target="_blank"'),
    );
    await user.click(button("Add link"));
    const field = await screen.findByLabelText("Enter URL:");
    expect(field).toHaveValue("http://example.com");
    await user.clear(field);
    await user.click(button("Apply"));
    await waitFor(() => expect(htmlOf(editor)).toBe("<p>Water wicks up.</p>"));
  });

  it("refuses an address that could run", async () => {
    const { editor, user } = await openSelected();
    await user.click(button("Add link"));
    await user.type(await screen.findByLabelText("Enter URL:"), "javascript:alert(1){Enter}");
    expect(await screen.findByText(/This link cannot be used/)).toBeInTheDocument();
    await waitFor(() => expect(htmlOf(editor)).toBe("<p>Water wicks up.</p>"));
  });
});

describe("the link dialog without a selected text", () => {
  it("adds the link at the end", async () => {
    const { editor, user } = await openIdea();
    await user.click(button("Add link"));
    await user.type(await screen.findByLabelText("Enter URL:"), "ann@example.com{Enter}");
    await waitFor(() => expect(htmlOf(editor)).toMatch(/up\.<a href="mailto:ann@example.com"/));
  });

  it("stays open and says why when something else is selected", async () => {
    const { user } = await openIdea({ content: `<p>a</p><img src="${FILE_URL}" alt="Boat">` });
    await user.click(await screen.findByRole("img", { name: "Boat" }));
    await screen.findByLabelText(/Description for readers/);
    await user.click(button("Add link"));
    await user.type(await screen.findByLabelText("Enter URL:"), "example.com{Enter}");
    expect(await screen.findByText(/A link needs text/)).toBeVisible();
  });
});

describe("the video dialog", () => {
  it("accepts a YouTube address and loads nothing before Play", async () => {
    const { editor, user } = await openSelected();
    await user.click(button("Add video"));
    const field = await screen.findByLabelText("Enter YouTube video URL:");
    await user.type(field, "https://vimeo.com/1{Enter}");
    expect(await screen.findByText("This is not a link to a YouTube video.")).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, "https://youtu.be/dQw4w9WgXcQ{Enter}");
    await waitFor(() => expect(htmlOf(editor)).toContain('data-lexical-youtube="dQw4w9WgXcQ"'));
    const play = await screen.findByRole("button", { name: "Play video" });
    expect(editable().querySelector("iframe")).toBeNull();
    await user.click(play);
    await waitFor(() =>
      expect(editable().querySelector("iframe")?.src).toMatch(
        /^https:\/\/www\.youtube-nocookie\.com/,
      ),
    );
  });
});

describe("an image", () => {
  it("is uploaded with its idea and inserted with a description", async () => {
    const forms = answerUpload(() => HttpResponse.json({ url: FILE_URL }, { status: 201 }));
    const { editor, user } = await openSelected();
    await user.upload(screen.getByLabelText("Image file"), picture());
    await waitFor(() =>
      expect(htmlOf(editor)).toContain(`<img src="${FILE_URL}" alt="boat sketch">`),
    );
    expect(forms[0]?.get("ideaId")).toBe("7");
    expect(forms[0]?.get("image")).toMatchObject({ type: "image/png" });
  });

  it.each([
    ["the server refuses it", () => HttpResponse.json({}, { status: 400 }), messages.imageFailed],
    [
      "a proxy does",
      () => HttpResponse.html("<h1>413 Request Entity Too Large</h1>", { status: 413 }),
      REFUSED_ON_THE_WAY,
    ],
    ["there is no answer", () => HttpResponse.error(), messages.imageError],
  ])("does not change the text when %s", async (_name, response, text) => {
    answerUpload(response);
    const { editor, user } = await openSelected();
    await user.upload(screen.getByLabelText("Image file"), picture());
    const notice = await screen.findByRole("dialog", { name: "Add image" });
    expect(notice).toHaveTextContent(text);
    await user.click(within(notice).getByRole("button", { name: "OK" }));
    await waitFor(() => expect(htmlOf(editor)).toBe("<p>Water wicks up.</p>"));
  });
});
