import { act, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { REFUSED_ON_THE_WAY } from "@/api/http";
import { respondWith, signedIn } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { titleFromFile } from "./pdfFile";
import { FakeUpload } from "./testUpload";

beforeEach(() => FakeUpload.install());
afterEach(() => void vi.unstubAllGlobals());

const pdf = (name = "Planter.pdf", type = "application/pdf", size?: number) => {
  const file = new File(["%PDF-1.7"], name, { type });
  if (size !== undefined) Object.defineProperty(file, "size", { value: size });
  return file;
};

async function openArea() {
  signedIn();
  const lists = respondWith("get", "/api/ideas", 200, []);
  const app = renderRoute("/dashboard");
  await screen.findByText("No drafts yet");
  const user = userEvent.setup({ applyAccept: false });
  const pick = (file: File) => user.upload(screen.getByLabelText("PDF file"), file);
  const area = screen.getByRole("region", { name: "File an idea" });
  return { ...app, user, pick, area, lists };
}

type Area = Awaited<ReturnType<typeof openArea>>;

async function underWay(): Promise<FakeUpload> {
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(1));
  return FakeUpload.sent[0] as FakeUpload;
}

/** Waits until the page asks before it is left: what asks is loaded when an upload begins. */
const asksBeforeLeaving = () =>
  waitFor(() =>
    expect(fireEvent(window, new Event("beforeunload", { cancelable: true }))).toBe(false),
  );

test("sends file and title, shows the progress, then opens the editor after 1500 ms", async () => {
  const { pick, path, lists } = await openArea();
  respondWith("get", "/api/ideas/9", 200, anIdea({ id: 9 }));
  await pick(pdf());
  const request = await underWay();
  expect(request).toMatchObject({ method: "POST", url: "/api/ideas/pdf", withCredentials: true });
  expect(request.body.get("title")).toBe("Planter");
  expect(request.body.get("file")).toMatchObject({ name: "Planter.pdf" });
  expect(await screen.findByRole("heading", { name: "Uploading PDF..." })).toBeVisible();
  expect(screen.getByText("Please wait while we process your file")).toBeVisible();
  act(() => request.progress(30, 100));
  expect(screen.getByRole("progressbar")).toHaveValue(0.3);
  expect(screen.getByText("Planter.pdf · 30 %")).toBeVisible();
  expect(screen.getByText("Uploading PDF... 25 %")).toBeInTheDocument();
  act(() => request.progress(100, 100));
  expect(screen.getByText("Planter.pdf · Processing")).toBeVisible();

  const timers = deferTimers(1500);
  await act(async () => request.finish(201, { id: 9 }));
  expect(await screen.findByRole("heading", { name: "PDF Uploaded Successfully" })).toBeVisible();
  await waitFor(() => expect(timers.count()).toBe(1));
  await waitFor(() => expect(lists.length).toBeGreaterThan(1));
  expect(path()).toBe("/dashboard");
  await timers.release();
  await waitFor(() => expect(path()).toBe("/editor/9"));
});

test.each([
  [
    "the server's message",
    (it: FakeUpload) => it.finish(422, { message: "This PDF is encrypted." }),
    "This PDF is encrypted.",
  ],
  ["its own words", (it: FakeUpload) => it.finish(502), "Failed to upload PDF"],
  ["what its operator has to do", (it: FakeUpload) => it.finish(413), REFUSED_ON_THE_WAY],
  ["word of a broken connection", (it: FakeUpload) => it.break(), "Could not upload PDF file"],
])("an upload that failed shows %s, and another can follow", async (_what, fail, text) => {
  const { pick, path } = await openArea();
  await pick(pdf());
  const request = await underWay();
  act(() => fail(request));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(`Upload Failed${text}`);
  expect(await screen.findByText("Error")).toBeVisible();
  expect(path()).toBe("/dashboard");
  await pick(pdf("Again.pdf"));
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(2));
  await waitFor(() => expect(screen.queryByText("Upload Failed")).not.toBeInTheDocument());
});

test("reloads the ideas when no response came, since the upload may have succeeded", async () => {
  const { pick, lists } = await openArea();
  await pick(pdf());
  const request = await underWay();
  await act(async () => request.break());
  await screen.findByText("Upload Failed");
  await waitFor(() => expect(lists.length).toBeGreaterThan(1));
});

test("a file whose answer was lost is sent again with its key, another file with another", async () => {
  const { pick } = await openArea();
  const fail = async (number: number) => {
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(number));
    await act(async () => FakeUpload.sent[number - 1]?.break());
    await screen.findByText("Upload Failed");
  };
  const file = pdf();
  await pick(file);
  await fail(1);
  await pick(file);
  await fail(2);
  await pick(pdf("Other.pdf"));
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(3));
  const [first, again, other] = FakeUpload.sent.map(({ headers }) => headers["Idempotency-Key"]);
  expect(first).toMatch(/^[\w-]{21}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("a cancelled upload stops and is not a failure", async () => {
  const { pick, user, area } = await openArea();
  await pick(pdf());
  const request = await underWay();
  await user.click(await screen.findByRole("button", { name: "Cancel upload" }));
  expect(request.aborted).toBe(true);
  expect(await screen.findByRole("button", { name: "Upload PDF" })).toBeEnabled();
  expect(screen.queryByText("Upload Failed")).not.toBeInTheDocument();
  await waitFor(() => expect(area).toHaveFocus());
});

test("leaving the page cancels the upload, after a question", async () => {
  const { pick, path, router, user } = await openArea();
  await pick(pdf());
  const request = await underWay();
  await asksBeforeLeaving();
  await act(() => router.navigate("/about"));
  await user.click(await screen.findByRole("button", { name: "Stay" }));
  expect(path()).toBe("/dashboard");
  expect(request.aborted).toBe(false);
  await act(() => router.navigate("/about"));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  await screen.findByRole("heading", { name: "About Us" });
  await waitFor(() => expect(request.aborted).toBe(true));
});

test.each([
  ["page.html", "text/html", 10, "Invalid File Type", "Only PDF files are supported at this time"],
  ["big.pdf", "application/pdf", 10_485_761, "File Too Large", "PDF files must be less than 10MB"],
])("refuses %s before any request", async (name, type, size, title, text) => {
  const { pick } = await openArea();
  await pick(pdf(name, type, size));
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
  expect(FakeUpload.sent).toHaveLength(0);
});

test.each([
  [
    "a refused file",
    async ({ pick }: Area) => {
      await pick(pdf("page.html", "text/html"));
      await screen.findByText("Invalid File Type");
    },
  ],
  [
    "a failed upload",
    async ({ pick }: Area) => {
      await pick(pdf());
      const request = await underWay();
      act(() => request.finish(502));
      await screen.findByText("Upload Failed");
    },
  ],
])("the next attempt dismisses the toast about %s", async (_, fail) => {
  const app = await openArea();
  await fail(app);
  expect(app.store.getState().toast.current).toMatchObject({ variant: "destructive" });
  await app.pick(pdf("Again.pdf"));
  await waitFor(() => expect(app.store.getState().toast.current).toBeNull());
});

test.each(["", "application/octet-stream", "application/x-download", "text/plain"])(
  "a PDF of type %o is known by its first bytes",
  async (type) => {
    const { pick } = await openArea();
    await pick(new File(["<html>"], "page.pdf", { type }));
    expect(await screen.findByText("Invalid File Type")).toBeVisible();
    expect(FakeUpload.sent).toHaveLength(0);
    await pick(pdf("Planter.pdf", type));
    await underWay();
  },
);

test("accepts a file of exactly 10 MB", async () => {
  const { pick } = await openArea();
  await pick(pdf("limit.pdf", "application/pdf", 10_485_760));
  await underWay();
});

test("accepts what the operator allows, and says how much that is", async () => {
  Object.assign(document.documentElement.dataset, { pdfBytes: "26214400", pdfSize: "25 MB" });
  onTestFinished(() => {
    delete document.documentElement.dataset.pdfBytes;
    delete document.documentElement.dataset.pdfSize;
  });
  const { pick } = await openArea();
  expect(screen.getByText("Write it here, or drop a PDF of up to 25 MB.")).toBeVisible();
  await pick(pdf("big.pdf", "application/pdf", 26_214_401));
  expect(await screen.findByText("PDF files must be less than 25MB")).toBeVisible();
  expect(FakeUpload.sent).toHaveLength(0);
  await pick(pdf("limit.pdf", "application/pdf", 26_214_400));
  await underWay();
});

test("accepts the first file dropped, and highlights the drop area", async () => {
  const { area } = await openArea();
  fireEvent.dragOver(area);
  expect(area).toHaveAttribute("data-highlighted");
  const inner = createEvent.dragLeave(area);
  Object.defineProperty(inner, "relatedTarget", {
    value: screen.getByRole("button", { name: "Upload PDF" }),
  });
  fireEvent(area, inner);
  expect(area).toHaveAttribute("data-highlighted");
  fireEvent.dragLeave(area);
  expect(area).not.toHaveAttribute("data-highlighted");
  fireEvent.drop(area, { dataTransfer: { files: [pdf("First.pdf"), pdf("Second.pdf")] } });
  const request = await underWay();
  expect(request.body.get("title")).toBe("First");
});

test("the button opens the file picker by keyboard", async () => {
  const { user } = await openArea();
  let opened = 0;
  screen.getByLabelText("PDF file").addEventListener("click", () => {
    opened += 1;
  });
  screen.getByRole("button", { name: "Upload PDF" }).focus();
  await user.keyboard("{Enter}");
  expect(opened).toBe(1);
});

test.each([
  ["Planter.pdf", "Planter"],
  ["Planter.v2.PDF", "Planter.v2"],
  [".pdf", "Untitled Idea"],
  [`${"ä".repeat(220)}.pdf`, "ä".repeat(200)],
])("names the idea of %s", (name, title) => {
  expect(titleFromFile(pdf(name))).toBe(title);
});
