import { DRAG_DROP_PASTE } from "@lexical/rich-text";
import { act, screen, waitFor, within } from "@testing-library/react";
import { $getRoot, UNDO_COMMAND } from "lexical";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { server } from "@/testing/server";
import { htmlOf, loadHtml } from "./extensions/testEditor";
import { messages } from "./messages";
import { openIdea, paste } from "./testPage";

const FILE_URL = "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";
const PNG = "data:image/png;base64,iVBORw==";

const LOSSY = '<p>a</p><img src="https://a.example/1.png"><p><u>b</u></p>';

/** Stores every uploaded image; returns how many there were. */
function acceptUploads(): () => number {
  let count = 0;
  server.use(
    http.post("*/api/upload/image", () => {
      count += 1;
      return HttpResponse.json({ url: FILE_URL }, { status: 201 });
    }),
  );
  return () => count;
}

it("shows what would be lost, and pastes the rest on confirmation", async () => {
  const { editor, user } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, LOSSY);
  const question = await screen.findByRole("alertdialog", { name: "Some of this can’t be pasted" });
  expect(question).toHaveTextContent("1 picture is stored elsewhere.");
  expect(question).toHaveTextContent("Underlining will be left out too.");
  expect(htmlOf(editor)).toBe("<p>x</p>");
  await user.click(within(question).getByRole("button", { name: "Paste the rest" }));
  await waitFor(() => expect(htmlOf(editor)).toBe("<p>xa</p><p>b</p>"));
  await act(async () => void editor.dispatchCommand(UNDO_COMMAND, undefined));
  await waitFor(() => expect(htmlOf(editor)).toBe("<p>x</p>"));
});

it("pastes nothing when it is cancelled", async () => {
  const { editor, user } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, LOSSY);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(htmlOf(editor)).toBe("<p>x</p>");
});

it("pastes at once and reports lost formatting", async () => {
  const { editor, user } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, '<p align="center">a</p><p><u>b</u></p>');
  expect(await screen.findByText("Pasted without underlining and text alignment.")).toBeVisible();
  expect(htmlOf(editor)).toBe("<p>xa</p><p>b</p>");
  const focus = vi.spyOn(editor, "focus");
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByText(/Pasted without/)).toBeNull());
  // jsdom does not move focus with the selection, as browsers do.
  expect(focus).toHaveBeenCalled();
});

it("reports numbers of a list that are kept only as 1, 2, 3", async () => {
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, '<ol type="a"><li><u>a</u></li><li align="right">b</li></ol>');
  expect(
    await screen.findByText(
      "Pasted without underlining, text alignment, and the original list numbering.",
    ),
  ).toBeVisible();
});

it("undoes a paste that lost formatting, and nothing that was written after it", async () => {
  const { editor, user } = await openIdea({ content: "<p>x</p>" });
  const undo = { name: "Undo paste" };
  await paste(editor, "<p><u>b</u></p>");
  await user.click(await screen.findByRole("button", undo));
  await waitFor(() => expect(htmlOf(editor)).toBe("<p>x</p>"));
  expect(screen.queryByText(/Pasted without/)).toBeNull();

  await paste(editor, "<p><u>b</u></p>");
  await screen.findByRole("button", undo);
  await act(async () => editor.update(() => $getRoot().selectEnd().insertText("y")));
  await waitFor(() => expect(screen.queryByRole("button", undo)).toBeNull());
  expect(screen.getByText("Pasted without underlining.")).toBeVisible();
  expect(htmlOf(editor)).toBe("<p>xby</p>");
});

it("does not offer to undo a later paste that lost nothing", async () => {
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, "<p><u>b</u></p>");
  await screen.findByRole("button", { name: "Undo paste" });
  await paste(editor, "<p>c</p>");
  expect(screen.getByText("Pasted without underlining.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Undo paste" })).toBeNull();
});

it("uploads a pasted image, in a cell as well, and keeps the rest of the undo steps", async () => {
  acceptUploads();
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, `<p>a</p><table><tr><td><img src="${PNG}"></td><td>b</td></tr></table>`);
  await waitFor(() => expect(htmlOf(editor)).toContain(`<td><img src="${FILE_URL}" alt=""></td>`));
  await act(async () => void editor.dispatchCommand(UNDO_COMMAND, undefined));
  await waitFor(() => expect(htmlOf(editor)).toBe("<p>x</p>"));
});

it("keeps a pasted image inline while the server cannot be reached", async () => {
  server.use(http.post("*/api/upload/image", () => HttpResponse.error()));
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, `<p>a</p><img src="${PNG}">`);
  await waitFor(() => expect(screen.queryByText("Uploading image…")).toBeNull());
  expect(htmlOf(editor)).toContain(`<img src="${PNG}" alt="">`);
});

it("uploads a picture that a browser copied, and asks when there is more", async () => {
  const uploads = acceptUploads();
  const file = new File(["x"], "image.png", { type: "image/png" });
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await paste(editor, '<img src="https://a.example/1.png">', [file]);
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await paste(editor, LOSSY, [file]);
  expect(await screen.findByRole("alertdialog")).toBeVisible();
  expect(uploads()).toBe(1);
});

it("says that a dropped file is no picture", async () => {
  const uploads = acceptUploads();
  const { editor } = await openIdea({ content: "<p>x</p>" });
  const drop = (...types: string[]) => {
    const files = types.map((type) => new File(["x"], "file", { type }));
    return act(async () => void editor.dispatchCommand(DRAG_DROP_PASTE, files));
  };
  await drop("application/pdf");
  expect(await screen.findByText(messages.imagesOnly)).toBeVisible();
  expect(uploads()).toBe(0);
  await drop("application/pdf", "image/png");
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  expect(uploads()).toBe(1);
});

it("keeps the content of a table that is pasted with other text into a table", async () => {
  const { editor } = await openIdea({ content: "<p>x</p>" });
  await act(async () =>
    loadHtml(editor, "<table><tbody><tr><td><p>cell</p></td></tr></tbody></table>"),
  );
  await paste(editor, "<p>a</p><table><tr><td>b</td><td>c</td></tr></table><p>d</p>");
  await waitFor(() =>
    expect(htmlOf(editor)).toBe(
      "<table><tbody><tr><td><p>cella</p><p>b</p><p>c</p><p>d</p></td></tr></tbody></table>",
    ),
  );
});
