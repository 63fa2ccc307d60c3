import {
  act,
  cleanup,
  configure,
  fireEvent,
  screen,
  waitFor,
  within,
} from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { deferResponse, loseResponse, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { pause } from "./pause";
import { anAgreement, aRecipient, aSharedIdea } from "./testing/fixtures";
import { selectRecipient } from "./visit";

vi.mock("./pause", { spy: true });
configure({ reactStrictMode: true });

const LINK = "/api/share/tok";
const AGREE = `/api/recipients/${aRecipient().id}/nda`;

/** Fakes layout, which jsdom lacks: a region of 300 px over a text of `height`. */
function layOut(height: number) {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(300);
  return vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(height);
}

const scrollTo = (region: HTMLElement, top: number) => {
  region.scrollTop = top;
  fireEvent.scroll(region);
};

beforeEach(() => {
  vi.mocked(pause).mockResolvedValue();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function openAgreement(idea = {}) {
  const lookups = respondWith("get", LINK, 200, aSharedIdea("nda", { idea }));
  const app = renderRoute("/nda/tok");
  const region = await screen.findByRole("region", { name: "Agreement text" });
  return { ...app, lookups, region };
}

test("redirects a reader who has not registered to the details form", async () => {
  respondWith("get", LINK, 200, aSharedIdea("collect"));
  const { path } = renderRoute("/nda/tok");
  await waitFor(() => expect(path()).toBe("/collect/tok"));
});

test("shows the idea, its document id, the sharer, the recipient and every clause", async () => {
  const { region, lookups } = await openAgreement({ documentId: "IV-7K3M-Q9TX-2B4N" });
  for (const text of ["A kettle that waits", "IV-7K3M-Q9TX-2B4N", "Ada Lovelace", "Grace Hopper"]) {
    expect(screen.getAllByText(text).some((element) => !region.contains(element))).toBe(true);
  }
  expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(9);
  expect(region).toHaveTextContent("8. Clause name. Body of clause 8.");
  expect(region).toHaveTextContent("Acknowledgement. By choosing");
  expect(region).toHaveTextContent('Idea"A kettle: that waits"');
  expect(lookups).toHaveLength(1);
});

test("mentions keys only where there is more than a touch screen", async () => {
  layOut(1000);
  await openAgreement();
  expect(await screen.findByText("Scroll to the end of the text to agree.")).toBeVisible();
  expect(screen.getByText("The Page Down and End keys work too.")).toHaveClass(
    "pointer-coarse:hidden",
  );
});

test("enables 'I Agree' within 5 px of the end and not before", async () => {
  layOut(1000);
  const { region } = await openAgreement();
  expect(
    await screen.findByRole("button", { name: "Please read the full agreement" }),
  ).toBeDisabled();
  scrollTo(region, 694);
  expect(screen.getByRole("button", { name: "Please read the full agreement" })).toBeDisabled();
  scrollTo(region, 695);
  expect(await screen.findByRole("button", { name: "I Agree" })).toBeEnabled();
  scrollTo(region, 0);
  expect(screen.getByRole("button", { name: "I Agree" })).toBeEnabled();
});

test("enables 'I Agree' at once when everything fits", async () => {
  layOut(300);
  await openAgreement();
  expect(await screen.findByRole("button", { name: "I Agree" })).toBeEnabled();
});

test("measures again when sizes change", async () => {
  let resized: () => void = () => undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  const height = layOut(1000);
  await openAgreement();
  expect(await screen.findByRole("button", { name: /^Please read/ })).toBeDisabled();
  height.mockReturnValue(304);
  act(() => resized());
  expect(await screen.findByRole("button", { name: "I Agree" })).toBeEnabled();
  vi.unstubAllGlobals();
});

test("can be scrolled by keyboard", async () => {
  const { region } = await openAgreement();
  expect(region).toHaveAttribute("tabindex", "0");
});

test("saves the agreement byte for byte", async () => {
  const saved: { blob: Blob; name: string }[] = [];
  let blob = new Blob();
  URL.createObjectURL = vi.fn((object: Blob) => {
    blob = object;
    return "blob:agreement";
  });
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ blob, name: this.download });
  });
  const { user } = await openAgreement();
  await user.click(screen.getByRole("button", { name: "Download Agreement" }));
  expect(saved[0]?.name).toBe("NDA-Agreement-Idea-7.txt");
  const bytes = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsArrayBuffer(saved[0]?.blob ?? new Blob());
  });
  expect([...new Uint8Array(bytes as ArrayBuffer)]).toEqual([
    ...new TextEncoder().encode(anAgreement.text),
  ]);
});

test("records the agreement once, then opens the document after about two seconds", async () => {
  let resume: () => void = () => undefined;
  vi.mocked(pause).mockImplementation(() => new Promise((resolve) => (resume = resolve)));
  const sent = respondWith("put", AGREE, 200, aRecipient({ agreedToNda: true }));
  respondWith("get", "/api/comments", 200, []);
  const { user, path, lookups } = await openAgreement();
  const opened = respondWith("get", LINK, 200, aSharedIdea("open"));
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  expect(await screen.findByText("Encrypting your agreement...")).toBeVisible();
  await waitFor(() => expect(pause).toHaveBeenCalledExactlyOnceWith(2000));
  expect(opened).toHaveLength(0);
  resume();
  await waitFor(() => expect(path()).toBe("/document/tok"));
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ agreed: true }]);
  expect([lookups.length, opened.length]).toEqual([1, 1]);
});

test("opens the document for a reader who left and came back before the two seconds were over", async () => {
  let resume: () => void = () => undefined;
  vi.mocked(pause).mockImplementation(() => new Promise((resolve) => (resume = resolve)));
  respondWith("put", AGREE, 200, aRecipient({ agreedToNda: true }));
  respondWith("get", "/api/comments", 200, []);
  const { user, router, path } = await openAgreement();
  const opened = respondWith("get", LINK, 200, aSharedIdea("open"));
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  await waitFor(() => expect(pause).toHaveBeenCalled());
  await router.navigate("/about");
  const elsewhere = await screen.findByRole("heading", { level: 1, name: "About Us" });
  await router.navigate("/nda/tok");
  await waitFor(() => expect(elsewhere).not.toBeInTheDocument());
  resume();
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(path()).toBe("/document/tok");
  expect(opened).toHaveLength(1);
});

test.each([
  ["opens what another tab has agreed to", aSharedIdea("open"), "/document/tok", false],
  [
    "asks for the details again when their key is gone",
    aSharedIdea("collect"),
    "/collect/tok",
    true,
  ],
])("%s", async (_, lookup, expected, fails) => {
  respondWith("put", AGREE, 404, { message: "Not found" });
  respondWith("get", "/api/comments", 200, []);
  const { user, path } = await openAgreement();
  respondWith("get", LINK, 200, lookup);
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  await waitFor(() => expect(path()).toBe(expected));
  const failure = "Failed to record your agreement. Please try again.";
  if (fails) expect((await screen.findAllByText(failure)).length).toBeGreaterThan(0);
  else expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(screen.queryAllByText(failure)).toHaveLength(fails ? 1 : 0);
});

test("reports that the link is invalid when it ended during the agreement", async () => {
  respondWith("put", AGREE, 404, { message: "Not found" });
  const { user, store } = await openAgreement();
  respondWith("get", LINK, 404, { message: "Not found" });
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  expect(
    await screen.findByText("The link you're trying to access is invalid or has expired."),
  ).toBeVisible();
  expect(store.getState().toast.current).toBeNull();
});

test("shows the agreement again, as read, when recording it fails", async () => {
  respondWith("put", AGREE, 500, { message: "no" });
  const { user } = await openAgreement();
  const agree = await screen.findByRole("button", { name: "I Agree" });
  // From now on, the text is longer than its region.
  vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(5000);
  await user.click(agree);
  const failure = "Failed to record your agreement. Please try again.";
  await waitFor(() => expect(document.activeElement).toHaveTextContent(failure));
  expect(screen.getByRole("button", { name: "I Agree" })).toBeEnabled();
});

const UNANSWERED =
  "The connection was lost before we could confirm that your agreement was recorded. Please agree again: it will be recorded only once.";

test("sends an agreement without an answer again under the same secret", async () => {
  const lost = loseResponse("put", AGREE);
  const { user, path } = await openAgreement();
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  await waitFor(() => expect(document.activeElement).toHaveTextContent(UNANSWERED));
  expect(path()).toBe("/nda/tok");
  const sent = respondWith("put", AGREE, 200, aRecipient({ agreedToNda: true }));
  respondWith("get", LINK, 200, aSharedIdea("open"));
  respondWith("get", "/api/comments", 200, []);
  await user.click(screen.getByRole("button", { name: "I Agree" }));
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(lost).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(sent.map(({ key }) => key)).toEqual(lost);
  expect(sessionStorage.getItem("ideavault.step")).toBeNull();
});

test("a proxy that answers in the vault's place says nothing of the agreement", async () => {
  const sent = respondWith("put", AGREE, 502);
  const { user } = await openAgreement();
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole("button", { name: "I Agree" }));
    await waitFor(() => expect(sent).toHaveLength(times));
    await waitFor(() => expect(document.activeElement).toHaveTextContent(UNANSWERED));
  }
  expect(sent[0]?.key).toBe(sent[1]?.key);
});

test("names another agreement anew", async () => {
  const sent = respondWith("put", AGREE, 404, { message: "Not found" });
  const { user } = await openAgreement();
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole("button", { name: "I Agree" }));
    await waitFor(() => expect(sent).toHaveLength(times));
  }
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test("fetches the answer to a recorded agreement when the page is loaded again", async () => {
  const lost = loseResponse("put", AGREE);
  const { user } = await openAgreement();
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  await waitFor(() => expect(lost).toHaveLength(1));
  await screen.findAllByText(UNANSWERED);
  cleanup();
  // The server knows this browser under its next key only.
  respondWith("get", LINK, 200, aSharedIdea("collect"));
  respondWith("get", "/api/comments", 200, []);
  const keys: (string | null)[] = [];
  server.use(
    http.put(`*${AGREE}`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      respondWith("get", LINK, 200, aSharedIdea("open"));
      return HttpResponse.json(aRecipient({ agreedToNda: true }));
    }),
  );
  renderRoute("/nda/tok");
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
  expect(keys).toEqual(lost);
});

test("sends no agreement by itself where the agreement is still to be read", async () => {
  const lost = loseResponse("put", AGREE);
  const { user } = await openAgreement();
  await user.click(await screen.findByRole("button", { name: "I Agree" }));
  await screen.findAllByText(UNANSWERED);
  cleanup();
  await openAgreement();
  expect(lost).toHaveLength(1);
});

test("declines only after confirmation, ends the session and leads home", async () => {
  const declined = respondWith("post", `${LINK}/decline`, 204);
  const { user, path, store } = await openAgreement();
  await user.click(screen.getByRole("button", { name: "Decline" }));
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent(
    "Are you sure you want to decline? You will not be able to view the document.",
  );
  expect(declined).toHaveLength(0);
  await user.click(within(question).getByRole("button", { name: "Decline" }));
  expect(await screen.findByText("Agreement Declined")).toBeVisible();
  expect(screen.getByText("The session will now end.")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/"));
  await waitFor(() => expect(declined).toHaveLength(1));
  await waitFor(() => expect(selectRecipient(store.getState())).toBeNull());
});

test("stays where the reader has gone while the server is told of declining", async () => {
  const { calls, release } = deferResponse("post", `${LINK}/decline`);
  const { user, path, router, store } = await openAgreement();
  await user.click(screen.getByRole("button", { name: "Decline" }));
  const question = within(await screen.findByRole("alertdialog"));
  await user.click(question.getByRole("button", { name: "Decline" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(question.getByRole("button", { name: "Decline" })).toHaveAttribute("aria-busy", "true");
  await router.navigate("/about");
  await screen.findByRole("heading", { level: 1, name: "About Us" });
  release(204, {});
  // An ended view is not shown again from memory.
  await waitFor(() => expect(store.getState().visit.current?.access).toBe("left"));
  expect(path()).toBe("/about");
});

test("stays on the agreement when declining is cancelled", async () => {
  const { user, path } = await openAgreement();
  await user.click(screen.getByRole("button", { name: "Decline" }));
  await user.click(await screen.findByRole("button", { name: "Keep reading" }));
  expect(path()).toBe("/nda/tok");
});
