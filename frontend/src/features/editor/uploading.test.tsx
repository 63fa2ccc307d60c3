import { act, screen, waitFor } from "@testing-library/react";
import { $getRoot, HISTORY_PUSH_TAG, PASTE_TAG, UNDO_COMMAND } from "lexical";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { deferResponse, loseResponse, respondWith } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { INSERT_IMAGE_COMMAND } from "./extensions/media";
import { createTestEditor, htmlOf } from "./extensions/testEditor";
import { $importHtml } from "./html/importHtml";
import { parseImageUrl } from "./html/urls";
import { messages } from "./messages";
import { startSession } from "./session/testSession";
import { button, openIdea, paste, titleInput } from "./testPage";

const FILE_URL = "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";

async function openUploading() {
  const app = await openIdea();
  const upload = deferResponse("post", "/api/upload/image");
  const file = new File(["x"], "boat.png", { type: "image/png" });
  await app.user.upload(screen.getByLabelText("Image file"), file);
  await waitFor(() => expect(upload.calls).toHaveLength(1));
  await screen.findByText("Unsaved changes");
  return { ...app, upload };
}

function expectClosed(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return !event.defaultPrevented;
}

test("leaving while an image uploads asks for confirmation", async () => {
  const { user, path, upload, editor } = await openUploading();
  await waitFor(() => expect(expectClosed()).toBe(false));
  await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Leave without saving?" });
  expect(dialog).toHaveTextContent("An image is still being uploaded");
  await user.click(await screen.findByRole("button", { name: "Stay" }));
  expect(path()).toBe("/editor/7");
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  expect(expectClosed()).toBe(false);
});

test("an upload that ends while the author types the title leaves the focus there", async () => {
  const { user, upload, editor } = await openUploading();
  await user.type(titleInput(), " two");
  const select = vi.spyOn(Selection.prototype, "setBaseAndExtent");
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  // A browser moves the focus with the selection; jsdom does not.
  expect(select).not.toHaveBeenCalled();
});

test("an image whose answer was lost is not uploaded twice", async () => {
  const { user, editor } = await openIdea();
  const lost = loseResponse("post", "/api/upload/image");
  const choose = (name: string) => {
    const file = new File(["x"], name, { type: "image/png", lastModified: 1 });
    return user.upload(screen.getByLabelText("Image file"), file);
  };
  await choose("boat.png");
  await waitFor(() => expect(lost).toHaveLength(1));
  expect(await screen.findByText(messages.imageError)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "OK" }));
  const keys: (string | null)[] = [];
  server.use(
    http.post("*/api/upload/image", ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return HttpResponse.json({ url: FILE_URL });
    }),
  );
  await choose("boat.png");
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  await choose("boat.png");
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).toBe(lost[0]);
  expect(keys[1]).not.toBe(lost[0]);
});

test("pasted images that are stored while the author types the title leave the focus there", async () => {
  const { user, editor } = await openIdea();
  const upload = deferResponse("post", "/api/upload/image");
  await paste(editor, '<p>a</p><img src="data:image/png;base64,iVBORw==">');
  await waitFor(() => expect(upload.calls).toHaveLength(1));
  await user.type(titleInput(), " two");
  const select = vi.spyOn(Selection.prototype, "setBaseAndExtent");
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  expect(select).not.toHaveBeenCalled();
});

const PNG = '<img src="data:image/png;base64,iVBORw==" alt="">';

async function openPasted() {
  const app = await openIdea();
  const upload = deferResponse("post", "/api/upload/image");
  await paste(app.editor, `<p>a</p>${PNG}`);
  await waitFor(() => expect(upload.calls).toHaveLength(1));
  return { ...app, upload };
}

test("undo brings back a pasted image with its stored address", async () => {
  const { upload, editor } = await openPasted();
  await act(async () => {
    const write = () => void $getRoot().selectEnd().insertText("x");
    editor.update(write, { discrete: true, tag: HISTORY_PUSH_TAG });
  });
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(htmlOf(editor)).toContain(FILE_URL));
  await act(async () => void editor.dispatchCommand(UNDO_COMMAND));
  expect(htmlOf(editor)).not.toContain("x</p>");
  expect(htmlOf(editor)).toContain(FILE_URL);
  expect(upload.calls).toHaveLength(1);
});

test("a large image of the opened text stays when undo brings it back", async () => {
  const image = `<img src="data:image/png;base64,${"iVBO".repeat(750_000)}" alt="">`;
  const { editor } = await openIdea({ content: image });
  const uploads = respondWith("post", "/api/upload/image", 503, { message: "Down." });
  const opened = htmlOf(editor);
  expect(opened).toContain("data:image/png");
  await act(async () => {
    editor.update(() => void $getRoot().clear(), { discrete: true, tag: HISTORY_PUSH_TAG });
  });
  expect(htmlOf(editor)).not.toContain("data:image/png");
  await act(async () => void editor.dispatchCommand(UNDO_COMMAND));
  await act(async () => {});
  expect(htmlOf(editor)).toBe(opened);
  expect(uploads).toHaveLength(0);
});

test("an image that is cut and pasted during its upload gets its stored address", async () => {
  const { upload, editor } = await openPasted();
  await act(async () => {
    const insert = () => void $getRoot().append(...$importHtml(PNG, "stored"));
    editor.update(() => void $getRoot().clear(), { discrete: true });
    editor.update(insert, { discrete: true, tag: PASTE_TAG });
  });
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(htmlOf(editor)).toBe(PNG.replace(/data:[^"]*/, FILE_URL)));
  expect(upload.calls).toHaveLength(1);
});

test("an upload that failed leaves nothing to save", async () => {
  const { user, upload } = await openUploading();
  upload.release(503, { message: "Down." });
  await user.click(await screen.findByRole("button", { name: "OK" }));
  expect(await screen.findByText("Saved")).toBeInTheDocument();
  await waitFor(() => expect(expectClosed()).toBe(true));
});

test("a response that cannot be understood ends the upload, too", async () => {
  const { user, upload } = await openUploading();
  upload.release(201, { url: 7 });
  await user.click(await screen.findByRole("button", { name: "OK" }));
  expect(screen.queryByText("Uploading image")).not.toBeInTheDocument();
  expect(await screen.findByText("Saved")).toBeInTheDocument();
});

test("an idea is not published while an image uploads", async () => {
  const { user, upload } = await openUploading();
  await user.click(button(messages.publish));
  expect(await screen.findByText(messages.uploading)).toBeInTheDocument();
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  upload.release(201, { url: FILE_URL });
  await waitFor(() => expect(screen.queryByText("Uploading image")).not.toBeInTheDocument());
  const saves = respondWith("put", "/api/ideas/7", 200, anIdea({ revision: 2 }));
  respondWith("put", "/api/ideas/7/publish", 200, anIdea({ revision: 2, status: "published" }));
  await user.click(button(messages.publish));
  await user.click(await screen.findByRole("button", { name: "Publish idea" }));
  expect(await screen.findByText(messages.publishedNow)).toBeInTheDocument();
  expect(saves[0]?.body).toMatchObject({ content: expect.stringContaining(FILE_URL) });
});

test("an idea is not published with an image chosen after the confirmation, during the save", async () => {
  const { session, adapter, sentCalls, nthCall } = startSession();
  adapter.write("<p>One.</p>");
  const outcome = session.publish();
  session.changeUploadCount(1);
  (await nthCall(1)).respond({ idea: anIdea({ content: "<p>One.</p>", revision: 2 }) });
  expect(await outcome).toBe("uploading");
  expect(sentCalls).toHaveLength(1);
  expect(session.getView()).toMatchObject({ isDirty: true, isLocked: false, isPublishing: false });
  session.changeUploadCount(-1);
  expect(session.getView()).toMatchObject({ isDirty: false, status: "saved" });
});

test("a save joins a running one although an image uploads", async () => {
  const { session, adapter, sentCalls, nthCall } = startSession();
  session.changeUploadCount(1);
  adapter.write("<p>One.</p>");
  const saves = [session.save(), session.save()];
  (await nthCall(1)).respond({ idea: anIdea({ content: "<p>One.</p>", revision: 2 }) });
  expect(await Promise.all(saves)).toMatchObject([{ revision: 2 }, { revision: 2 }]);
  expect(sentCalls).toHaveLength(1);
});

test("a read-only text accepts no image", async () => {
  const editor = createTestEditor("<p>Water.</p>");
  const src = parseImageUrl(FILE_URL);
  if (src === null) throw new Error("no address of an image");
  const insert = () =>
    act(async () => {
      editor.dispatchCommand(INSERT_IMAGE_COMMAND, { src, alt: "", width: 0, height: 0 });
    });
  editor.setEditable(false);
  await insert();
  expect(htmlOf(editor)).toBe("<p>Water.</p>");
  editor.setEditable(true);
  await insert();
  expect(htmlOf(editor)).toContain(FILE_URL);
});
