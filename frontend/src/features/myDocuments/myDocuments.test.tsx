import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { MyDocument, MyDocuments } from "@/api/generated";
import { deferResponse, loseResponse, respondWith, signedOut } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => {
  signedOut();
});

const kettle: MyDocument = {
  recipientId: "7d3e4a52-9a35-4d8b-8a1f-6d270b2f2c36",
  agreement: { title: "Kettle", documentId: "IV-7K3M-Q9TX-2B4N", sharer: "Ada Lovelace" },
  acceptedAt: "2026-11-20T10:14:03.000000Z",
  versions: [2, 3],
  firstOpenedAt: "2026-11-20T10:15:00.000000Z",
  lastOpenedAt: "2026-11-21T10:15:00.000000Z",
  linkEnded: true,
};

const shown = (documents: MyDocument[]): MyDocuments => ({
  email: documents.length ? "vera@example.org" : null,
  documents,
  hasMore: false,
});

async function ask(email: string) {
  const app = renderRoute("/my-documents");
  await screen.findByRole("heading", { name: "Your documents" });
  if (email) await app.user.type(screen.getByLabelText("Email"), email);
  await app.user.click(screen.getByRole("button", { name: "Email me a link" }));
  return app;
}

async function press(token = "one-time-token") {
  const app = renderRoute(`/my-documents/${token}`);
  await app.user.click(await screen.findByRole("button", { name: "Show my documents" }));
  return app;
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

test("asks for an address, and says what to do with the mail", async () => {
  const calls = respondWith("post", "/api/my-documents", 202);
  const { user } = await ask(" vera@example.org ");
  const sent = await heading("Check your email");
  await waitFor(() => expect(sent).toHaveFocus());
  expect(calls.map(({ body }) => body)).toEqual([{ email: "vera@example.org" }]);
  expect(screen.getByText("vera@example.org")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Try another address" }));
  const form = await heading("Your documents");
  await waitFor(() => expect(form).toHaveFocus());
  expect(screen.getByLabelText("Email")).toHaveValue("vera@example.org");
});

test("asks for no address that is none", async () => {
  const calls = respondWith("post", "/api/my-documents", 202);
  await ask("vera");
  expect(await screen.findByText("Please enter a valid email address")).toBeVisible();
  expect(calls).toEqual([]);
});

test.each([
  [
    "the server's message",
    () => HttpResponse.json({ message: "Slow down." }, { status: 429 }),
    "Slow down.",
  ],
  ["its own words", () => new HttpResponse(null, { status: 502 }), "That did not work"],
  ["word of the network", () => HttpResponse.error(), "Network error. Please try again."],
])("a request that failed: %s", async (_what, response, text) => {
  server.use(http.post("*/api/my-documents", response));
  await ask("vera@example.org");
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
});

test("opening the link asks nothing of the server, and the button shows the list", async () => {
  const opened = respondWith("post", "/api/my-documents/open", 204);
  respondWith("get", "/api/my-documents", 200, shown([kettle]));
  const { user } = renderRoute("/my-documents/one-time-token");
  const button = await screen.findByRole("button", { name: "Show my documents" });
  expect(opened).toEqual([]);
  await user.click(button);

  const title = await screen.findByRole("heading", { name: "Kettle" });
  const entry = title.closest("li") as HTMLElement;
  expect(await heading("Your documents")).toHaveFocus();
  expect(opened.map(({ body }) => body)).toEqual([{ token: "one-time-token" }]);
  expect(screen.getByText("vera@example.org")).toBeVisible();
  for (const text of ["Ada Lovelace", "IV-7K3M-Q9TX-2B4N", "2, 3", "Has ended"]) {
    expect(within(entry).getByText(text)).toBeVisible();
  }
  const address = `/api/my-documents/${kettle.recipientId}`;
  for (const [name, file] of [
    ["Receipt: Kettle", "receipt.pdf"],
    ["Agreement: Kettle", "agreement.txt"],
  ]) {
    const link = within(entry).getByRole("link", { name });
    expect(link).toHaveAttribute("href", `${address}/${file}`);
  }
});

test("what was erased, never opened, or cut off says so", async () => {
  respondWith("post", "/api/my-documents/open", 204);
  const erased: MyDocument = {
    ...kettle,
    agreement: null,
    versions: [],
    firstOpenedAt: null,
    lastOpenedAt: null,
    linkEnded: false,
  };
  respondWith("get", "/api/my-documents", 200, { ...shown([erased]), hasMore: true });
  await press();
  expect(await screen.findByRole("heading", { name: "Erased agreement" })).toBeVisible();
  expect(screen.getByText("Never")).toBeVisible();
  expect(screen.getByText(/It may still not let you in again/)).toBeVisible();
  expect(screen.getByText("Only the newest 500 are listed.")).toBeVisible();
  expect(screen.queryByRole("link", { name: /Receipt|Agreement/ })).not.toBeInTheDocument();
});

test("an empty list says why", async () => {
  respondWith("post", "/api/my-documents/open", 204);
  respondWith("get", "/api/my-documents", 200, shown([]));
  await press();
  expect(await screen.findByText("There is nothing to show")).toBeVisible();
});

test("a dead link leads to another one", async () => {
  respondWith("post", "/api/my-documents/open", 400, { message: "Dead.", field: "token" });
  const { user, path } = await press();
  await heading("This link no longer works");
  await user.click(screen.getByRole("link", { name: "Ask for another link" }));
  await waitFor(() => expect(path()).toBe("/my-documents"));
});

test("a lost answer is asked for again under the same name, also after a reload", async () => {
  const lost = loseResponse("post", "/api/my-documents/open");
  const { user } = await press();
  expect(await screen.findByRole("alert")).toHaveTextContent("Network error. Please try again.");
  const again = respondWith("post", "/api/my-documents/open", 204);
  respondWith("get", "/api/my-documents", 200, shown([kettle]));
  await user.click(screen.getByRole("button", { name: "Show my documents" }));
  await screen.findByRole("heading", { name: "Kettle" });
  cleanup();
  await press();
  await screen.findByRole("heading", { name: "Kettle" });
  expect(lost[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(again.map(({ key }) => key)).toEqual([lost[0], lost[0]]);
});

test.each([
  ["does not keep cookies", 401, "does not keep this site's cookies"],
  ["gets another refusal", 503, "That did not work. Please try again."],
])("a browser that %s is told so", async (_what, status, text) => {
  respondWith("post", "/api/my-documents/open", 204);
  respondWith("get", "/api/my-documents", status);
  await press();
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(screen.getByRole("button", { name: "Show my documents" })).toBeEnabled();
});

test("the button is busy while it shows the list", async () => {
  const { release } = deferResponse("post", "/api/my-documents/open");
  await press();
  const button = screen.getByRole("button", { name: "Show my documents" });
  await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "true"));
  release(400, { message: "Dead.", field: "token" });
  await heading("This link no longer works");
});

test.each([204, 401])("being done closes the list (%i)", async (status) => {
  respondWith("post", "/api/my-documents/open", 204);
  respondWith("get", "/api/my-documents", 200, shown([kettle]));
  const { user } = await press();
  respondWith("post", "/api/my-documents/end", 503);
  await user.click(await screen.findByRole("button", { name: "I am done" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("That did not work.");
  respondWith("post", "/api/my-documents/end", status);
  await user.click(screen.getByRole("button", { name: "I am done" }));
  await heading("The list is closed");
  expect(screen.queryByText("Kettle")).not.toBeInTheDocument();
});
