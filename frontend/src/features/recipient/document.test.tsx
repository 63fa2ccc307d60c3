import { configure, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Comment, SharedIdea } from "@/api/generated";
import { loseResponse, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { aComment, anEndedVisit, aRecipient, aSharedIdea } from "./testing/fixtures";
import { selectRecipient } from "./visit";

const openPdf = vi.hoisted(() => vi.fn());
vi.mock("@/pdf/byteSource", () => ({ openByteSource: async () => ({ length: 1 }) }));
vi.mock("@/pdf/loadEngine", () => ({
  loadEngine: async () => ({ openPdf }),
  preloadEngine: () => undefined,
}));
vi.mock("@/pdf/worker", () => ({
  acquireWorker: () => ({
    worker: { addEventListener: vi.fn(), terminate: vi.fn() },
    started: Promise.resolve(),
  }),
}));

configure({ reactStrictMode: true });

const LINK = "/api/share/tok";
const DENIED = "The link you're trying to access is invalid or has expired.";

const logged = vi.fn();

beforeEach(() => {
  logged.mockClear();
  vi.spyOn(console, "error").mockImplementation(logged);
});

async function openDocument(shared: SharedIdea = aSharedIdea("open"), comments: Comment[] = []) {
  const lookups = respondWith("get", LINK, 200, shared);
  const lists = respondWith("get", "/api/comments", 200, comments);
  const app = renderRoute("/document/tok");
  await screen.findByRole("heading", { level: 1, name: shared.idea.title });
  await screen.findByRole("heading", { name: /Comments/ });
  const write = async (text: string) => {
    await app.user.type(screen.getByLabelText("Add a comment"), text);
    await app.user.click(screen.getByRole("button", { name: "Send" }));
  };
  return { ...app, lookups, lists, write };
}

test.each([
  ["collect", "/collect/tok"],
  ["nda", "/nda/tok"],
] as const)("redirects a reader at stage %s to %s", async (stage, expected) => {
  respondWith("get", LINK, 200, aSharedIdea(stage));
  const { path } = renderRoute("/document/tok");
  await waitFor(() => expect(path()).toBe(expected));
});

test("shows the document after one request, so that one view counts once", async () => {
  const { lookups, store } = await openDocument();
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(screen.getByText(/Open for you until/)).toBeVisible();
  expect(lookups).toHaveLength(1);
  await waitFor(() =>
    expect(selectRecipient(store.getState())).toEqual(aRecipient({ agreedToNda: true })),
  );
});

test("shows the verification of a published idea only", async () => {
  const published = { status: "published", documentId: "IV-7K3M-Q9TX-2B4N" } as const;
  await openDocument(aSharedIdea("open", { idea: published }));
  const block = await screen.findByRole("region", { name: "Verification" });
  expect(block).toHaveTextContent("IV-7K3M-Q9TX-2B4N");
  expect(block).toHaveTextContent("Ada Lovelace");
  expect(within(block).getByText("Verified & Published")).toBeVisible();
});

test("shows no verification of a draft", async () => {
  await openDocument();
  expect(screen.queryByText("Verified & Published")).not.toBeInTheDocument();
});

const pdf = { type: "pdf", fileName: "kettle.pdf", pdfPath: "/api/files/ab-12" } as const;
const closed = Object.assign(new Error(), { name: "ResponseException", status: 404 });

test("removes the document when the server no longer returns its PDF", async () => {
  openPdf.mockImplementation(() => {
    respondWith("get", "/api/comments", 404, { message: "Not found" });
    return Promise.reject(closed);
  });
  respondWith("get", LINK, 200, aSharedIdea("open", { idea: { content: pdf } }));
  respondWith("get", "/api/comments", 200, []);
  renderRoute("/document/tok");
  expect(await screen.findByText(DENIED)).toBeVisible();
});

test("keeps the rest of the document when only its PDF is missing", async () => {
  let refuse: (error: Error) => void = () => undefined;
  openPdf.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
  const { lists } = await openDocument(aSharedIdea("open", { idea: { content: pdf } }), [
    aComment({ content: "Well made" }),
  ]);
  await screen.findByText("Well made");
  refuse(closed);
  expect(await screen.findByText("This document is no longer open to you")).toBeVisible();
  await waitFor(() => expect(lists.length).toBeGreaterThan(1));
  expect(screen.queryByText(DENIED)).not.toBeInTheDocument();
});

test("links to an imported PDF", async () => {
  openPdf.mockReturnValue(new Promise(() => undefined));
  const content = pdf;
  await openDocument(aSharedIdea("open", { idea: { content } }));
  expect(await screen.findByRole("link", { name: "Open in New Tab" })).toHaveAttribute(
    "href",
    "/api/files/ab-12",
  );
  const download = screen.getByRole("link", { name: "Download PDF" });
  expect(download).toHaveAttribute("download", "kettle.pdf");
});

test("never links to a PDF on another server", async () => {
  const content = {
    type: "pdf",
    fileName: "kettle.pdf",
    pdfPath: "https://evil.example/x",
  } as const;
  await openDocument(aSharedIdea("open", { idea: { content } }));
  expect(await screen.findByText("The file of this document is not available.")).toBeVisible();
});

test("draws positioned elements", async () => {
  const elements = [
    { type: "rect", x: 10, y: 20, width: 30, height: 40, fill: "#ff0000", rotation: 45 },
    { type: "circle", x: 100, y: 100, radius: 25, stroke: "blue", strokeWidth: 2 },
    { type: "text", x: 5, y: 6, text: "Base\nplate", fontSize: 20, fontStyle: "bold italic" },
  ] as const;
  await openDocument(aSharedIdea("open", { idea: { content: { elements: [...elements] } } }));
  const text = (await screen.findByText("Base")).closest("text");
  expect(text).toHaveAttribute("font-weight", "bold");
  expect(text).toHaveAttribute("font-style", "italic");
  expect(screen.getByText("plate")).toBeInTheDocument();
  const drawing = text?.closest("svg");
  const rect = drawing?.querySelector("rect");
  expect(rect).toHaveAttribute("transform", "translate(10 20) rotate(45)");
  expect(rect).toHaveAttribute("fill", "#ff0000");
  const circle = drawing?.querySelector("circle");
  expect(circle).toHaveAttribute("r", "25");
  expect(circle).toHaveAttribute("stroke", "blue");
  expect(circle).toHaveAttribute("stroke-width", "2");
});

test("shows the texts of an older format", async () => {
  await openDocument(
    aSharedIdea("open", { idea: { content: { pages: [{ body: "Old words" }] } } }),
  );
  expect(await screen.findByText("Content imported from previous format")).toBeVisible();
  expect(screen.getByText("Old words")).toBeVisible();
});

test("lists the comments on this idea with their ages", async () => {
  const { lists } = await openDocument(aSharedIdea("open"), [
    aComment({ id: "a", createdAt: new Date(Date.now() - 5000).toISOString(), content: "New" }),
    aComment({ id: "b", createdAt: new Date(Date.now() - 2 * 86_400_000).toISOString() }),
  ]);
  expect(await screen.findByText("just now")).toBeVisible();
  expect(screen.getByText("2 days ago")).toBeVisible();
  expect(lists[0]?.url.search).toBe("?ideaId=7");
});

test("sends no blank and no too long comment, and counts characters", async () => {
  const { user } = await openDocument();
  const send = screen.getByRole("button", { name: "Send" });
  expect(send).toBeDisabled();
  await user.type(screen.getByLabelText("Add a comment"), "   ");
  expect(send).toBeDisabled();
  expect(screen.getByText(/^3 \/ 5000/)).toBeVisible();
  await user.click(screen.getByLabelText("Add a comment"));
  await user.paste("x".repeat(4998));
  expect(send).toBeDisabled();
  expect(screen.getByText("Please use at most 5000 characters")).toBeVisible();
});

test("a comment is one call, whose answer stands at the end of the list", async () => {
  const theirs = aComment({ id: "theirs", content: "Well made" });
  const mine = aComment({ id: "mine", author: "Grace Hopper", content: "Clever" });
  const sent = respondWith("post", "/api/comments", 201, mine);
  const { write, lists } = await openDocument(aSharedIdea("open"), [theirs]);
  await screen.findByText("Well made");
  await write("Clever");
  expect(await screen.findByText("Clever", { selector: "li *" })).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Add a comment")).toHaveValue(""));
  expect(screen.getByLabelText("Add a comment")).toHaveFocus();
  expect(screen.getByText("Comment sent")).toHaveRole("status");
  expect(sent.map(({ body }) => body)).toEqual([
    { recipientId: aRecipient().id, author: "Grace Hopper", content: "Clever" },
  ]);
  const shown = screen.getAllByText(/^(Well made|Clever)$/, { selector: "li *" });
  expect(shown.map(({ textContent }) => textContent)).toEqual(["Well made", "Clever"]);
  expect(lists).toHaveLength(1);
});

test("shows a comment below a list that could not be loaded before", async () => {
  respondWith("get", LINK, 200, aSharedIdea("open"));
  respondWith("get", "/api/comments", 503, { message: "busy" });
  const { user } = renderRoute("/document/tok");
  await user.type(await screen.findByLabelText("Add a comment"), "Clever");
  await waitFor(() =>
    expect(logged).toHaveBeenCalledWith("Failed to load comments", expect.any(String)),
  );
  const mine = aComment({ id: "mine", content: "Clever" });
  respondWith("post", "/api/comments", 201, mine);
  respondWith("get", "/api/comments", 200, [aComment({ content: "Well made" }), mine]);
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Well made")).toBeVisible();
  expect(screen.getByText("Clever", { selector: "li *" })).toBeVisible();
});

test("shows a comment that arrived though no answer came", async () => {
  const mine = aComment({ id: "mine", content: "Clever" });
  const { write } = await openDocument();
  server.use(http.post("*/api/comments", () => HttpResponse.error()));
  respondWith("get", "/api/comments", 200, [mine]);
  await write("Clever");
  expect(await screen.findByText("Clever", { selector: "li *" })).toBeVisible();
  expect(screen.getByLabelText("Add a comment")).toHaveValue("Clever");
});

test("sends a comment without an answer again under the same key, and the next under another", async () => {
  const lost = loseResponse("post", "/api/comments");
  const { user, write } = await openDocument();
  await write("Clever");
  await waitFor(() => expect(lost).toHaveLength(1));
  const sent = respondWith("post", "/api/comments", 201, aComment({ id: "mine" }));
  const box = screen.getByLabelText("Add a comment");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(box).toHaveValue(""));
  await write("Clever");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.key).toBe(lost[0]);
  expect(sent[1]?.key).not.toBe(lost[0]);
});

test("shows a comment that was sent, at the end of the list", async () => {
  const height = vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(4000);
  const theirs = aComment({ id: "theirs", content: "Well made" });
  const mine = aComment({ id: "mine", content: "Clever" });
  respondWith("post", "/api/comments", 201, mine);
  const { write } = await openDocument();
  respondWith("get", "/api/comments", 200, [theirs, mine]);
  await write("Clever");
  const comment = await screen.findByText("Clever", { selector: "li *" });
  await waitFor(() => expect(comment.closest("section")?.scrollTop).toBe(4000));
  height.mockRestore();
});

test("shows the latest of many comments first, and earlier ones when asked", async () => {
  const comments = Array.from({ length: 30 }, (_, index) =>
    aComment({ id: `c${index}`, content: `Remark ${index}` }),
  );
  const { user } = await openDocument(aSharedIdea("open"), comments);
  expect(await screen.findByText("Remark 10")).toBeVisible();
  expect(screen.queryByText("Remark 9")).not.toBeInTheDocument();
  expect(document.body).toHaveFocus();
  await user.click(screen.getByRole("button", { name: "Show earlier comments (10)" }));
  expect(screen.getByText("Remark 0").closest("li")).toHaveFocus();
  expect(screen.getByText("Remark 29")).toBeVisible();
  expect(screen.queryByRole("button", { name: /earlier/ })).not.toBeInTheDocument();
});

test("keeps a comment that could not be sent", async () => {
  respondWith("post", "/api/comments", 500, { message: "no" });
  const { write } = await openDocument();
  await write("Clever");
  const texts = await screen.findAllByText("Failed to add comment. Please try again.");
  expect(texts.length).toBeGreaterThan(0);
  expect(screen.getByLabelText("Add a comment")).toHaveValue("Clever");
  expect(logged).toHaveBeenCalledWith("Failed to add comment", expect.any(String));
});

test("removes the document when the link is revoked while it is open", async () => {
  respondWith("post", "/api/comments", 404, { message: "Not found" });
  const { write, store } = await openDocument();
  await screen.findByText("Water wicks up.");
  await write("Clever");
  expect(await screen.findByText(DENIED)).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
  await waitFor(() => expect(JSON.stringify(store.getState())).not.toContain("Water wicks up"));
  // The screen says it.
  expect(store.getState().toast.current).toBeNull();
});

test("withdrawing on a revoked link shows Access Denied, and nothing over it", async () => {
  const mine = aComment({ id: "mine", recipientId: aRecipient().id });
  const { user, store } = await openDocument(aSharedIdea("open"), [mine]);
  respondWith("delete", "/api/comments/mine", 404, { message: "Not found" });
  await user.click(await screen.findByRole("button", { name: "Withdraw your comment" }));
  await user.click(await screen.findByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText(DENIED)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  expect(store.getState().toast.current).toBeNull();
});

test("shows a comment that can no longer be sent, to be copied", async () => {
  respondWith("post", "/api/comments", 404, { message: "Not found" });
  const { write, user } = await openDocument();
  await write("Three pages\nof thoughts");
  const unsent = within(await screen.findByRole("region", { name: "Your comment was not sent" }));
  expect(unsent.getByText(/Three pages/)).toBeVisible();
  await user.click(unsent.getByRole("button", { name: "Copy text" }));
  expect(await navigator.clipboard.readText()).toBe("Three pages\nof thoughts");
});

test("replies, edits and withdraws in place", async () => {
  const createdAt = new Date(Date.now() - 60_000).toISOString();
  const mine = aComment({ id: "mine", recipientId: aRecipient().id, content: "Frist", createdAt });
  const theirs = aComment({ id: "theirs", content: "See https://example.org." });
  const { user } = await openDocument(aSharedIdea("open"), [theirs, mine]);
  const link = await screen.findByRole("link", { name: "https://example.org" });
  expect(link).toHaveAttribute("rel", "noopener nofollow noreferrer");
  expect(link).toHaveAttribute("target", "_blank");
  // Only own comments can be changed.
  expect(screen.getAllByRole("button", { name: "Edit your comment" })).toHaveLength(1);

  const edited = { ...mine, content: "First", editedAt: new Date().toISOString() };
  const edits = respondWith("put", "/api/comments/mine", 200, edited);
  await user.click(screen.getByRole("button", { name: "Edit your comment" }));
  const form = screen.getByLabelText("Edit your comment").closest("form");
  expect(form).toHaveAttribute("data-editing");
  expect(form).not.toHaveTextContent("/ 5000");
  expect(screen.getByRole("button", { name: "Save" }).querySelector("svg")).toBeNull();
  expect(screen.getByLabelText("Add a comment").closest("form")).toHaveClass(
    "group-has-[[data-editing]]/comments:hidden",
  );
  await user.clear(screen.getByLabelText("Edit your comment"));
  await user.type(screen.getByLabelText("Edit your comment"), "First");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("edited")).toBeVisible();
  expect(edits.map(({ body }) => body)).toEqual([{ content: "First" }]);
  expect(screen.getByRole("button", { name: "Edit your comment" })).toHaveFocus();

  const reply = aComment({ id: "reply", recipientId: aRecipient().id, replyTo: "theirs" });
  const sent = respondWith("post", "/api/comments", 201, { ...reply, content: "I did." });
  respondWith("get", "/api/comments", 200, [theirs, edited, { ...reply, content: "I did." }]);
  await user.click(screen.getAllByRole("button", { name: /^Reply/ })[0] as HTMLElement);
  await user.type(screen.getByLabelText("Reply to Ada Lovelace"), "I did.");
  await user.click(screen.getByRole("button", { name: "Reply" }));
  const answers = await screen.findByRole("list", { name: "Replies to Ada Lovelace" });
  expect(within(answers).getByText("I did.")).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ replyTo: "theirs", content: "I did." });
  const [reopen] = screen.getAllByRole("button", { name: "Reply to Ada Lovelace" });
  expect(reopen).toHaveFocus();

  const withdrawn = { ...edited, content: "", withdrawnAt: new Date().toISOString() };
  const withdrawals = respondWith("delete", "/api/comments/mine", 200, withdrawn);
  const [, withdraw] = screen.getAllByRole("button", { name: "Withdraw your comment" });
  await user.click(withdraw as HTMLElement);
  await user.click(await screen.findByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText("Withdrawn by the author")).toBeVisible();
  expect(withdrawals).toHaveLength(1);
  await waitFor(() => expect(document.activeElement).toHaveTextContent("Withdrawn by the author"));
  expect(document.activeElement?.tagName).toBe("LI");
});

test("shows why an edit was refused, and keeps it", async () => {
  const createdAt = new Date(Date.now() - 60_000).toISOString();
  const mine = aComment({ id: "mine", recipientId: aRecipient().id, createdAt });
  const { user } = await openDocument(aSharedIdea("open"), [mine]);
  respondWith("put", "/api/comments/mine", 409, { message: "Too old to be edited." });
  await user.click(await screen.findByRole("button", { name: "Edit your comment" }));
  await user.type(screen.getByLabelText("Edit your comment"), " More.");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Too old to be edited.")).toBeVisible();
  expect(screen.getByLabelText("Edit your comment")).toHaveValue(`${mine.content} More.`);
});

test("warns that a one-time document cannot be viewed again, then closes it", async () => {
  const closed = respondWith("post", `${LINK}/close`, 204);
  const { user, path } = await openDocument(aSharedIdea("open", { shareType: "one-time" }));
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(await screen.findByRole("alertdialog")).toHaveTextContent(
    "the document cannot be viewed again",
  );
  expect(closed).toHaveLength(0);
  respondWith("get", LINK, 410, anEndedVisit("exhausted"));
  await user.click(screen.getByRole("button", { name: "Close document" }));
  expect(await screen.findByRole("heading", { name: "Your visit has ended" })).toHaveFocus();
  expect(screen.getByText(/the link cannot be opened again/)).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
  const receipt = screen.getByRole("link", { name: "Download your receipt" });
  expect(receipt).toHaveAttribute("href", `/api/recipients/${aRecipient().id}/receipt.pdf`);
  expect(screen.queryByRole("button", { name: "Open Again" })).not.toBeInTheDocument();
  expect(closed).toHaveLength(1);
  expect(path()).toBe("/document/tok");
});

test("a reader who closed the document opens it again", async () => {
  respondWith("get", LINK, 410, anEndedVisit("closed"));
  const { router, user } = renderRoute("/view/tok");
  expect(await screen.findByText(/This document was closed on Nov 21, 2026/)).toBeVisible();
  respondWith("post", `${LINK}/reopen`, 503, { message: "The service is unavailable right now." });
  await user.click(screen.getByRole("button", { name: "Open Again" }));
  expect(await screen.findByText("The service is unavailable right now.")).toBeVisible();
  const reopened = respondWith("post", `${LINK}/reopen`, 204);
  respondWith("get", LINK, 200, aSharedIdea("open"));
  await user.click(screen.getByRole("button", { name: "Open Again" }));
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(reopened).toHaveLength(1);
  expect(router.state.location.pathname).toBe("/document/tok");
});

test("closes other documents without that warning", async () => {
  const { user } = await openDocument();
  await user.click(screen.getByRole("button", { name: "Close" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).not.toHaveTextContent("cannot be viewed again");
});

test("'Download' reports its start, and saves the file under the server's name", async () => {
  const saved: { name: string; blob: Blob | undefined }[] = [];
  let last: Blob | undefined;
  URL.createObjectURL = (blob: Blob) => {
    last = blob;
    return "blob:document";
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, blob: last });
  });
  const { user } = await openDocument();
  const { server } = await import("@/testing/server");
  const { http, HttpResponse } = await import("msw");
  const disposition = "attachment; filename=\"A.html\"; filename*=UTF-8''%C3%84.html";
  server.use(
    http.get("*/api/share/tok/download", () =>
      HttpResponse.html("<p>Kettle</p>", { headers: { "Content-Disposition": disposition } }),
    ),
  );
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await screen.findByText("Download Started")).toBeVisible();
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(["Ä.html"]));
  expect(await saved[0]?.blob?.text()).toBe("<p>Kettle</p>");
  vi.mocked(HTMLAnchorElement.prototype.click).mockRestore();
});

test("shows why a download was refused", async () => {
  const { user } = await openDocument();
  respondWith("get", "/api/share/tok/download", 403, {
    message: "Please open the document first.",
  });
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await screen.findByText("Please open the document first.")).toBeVisible();
});

test("offers no download that the link does not allow", async () => {
  openPdf.mockReturnValue(new Promise(() => undefined));
  await openDocument(aSharedIdea("open", { allowDownload: false, idea: { content: pdf } }));
  expect(screen.getByRole("button", { name: "Download" })).toBeDisabled();
  expect(screen.getByText("The owner does not allow downloads.")).toBeVisible();
  await screen.findByRole("region", { name: "PDF: kettle.pdf" });
  expect(screen.queryByRole("link", { name: "Download PDF" })).not.toBeInTheDocument();
});
