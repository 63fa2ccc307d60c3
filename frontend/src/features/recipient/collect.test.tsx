import { configure, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { cookiesBlocked } from "@/browser/cookies";
import { loseResponse, neverRespond, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { pause } from "./pause";
import { anEndedVisit, aRecipient, aSharedIdea } from "./testing/fixtures";
import { selectRecipient } from "./visit";

vi.mock("./pause", { spy: true });
configure({ reactStrictMode: true });

const LINK = "/api/share/tok";

beforeEach(() => {
  vi.mocked(pause).mockResolvedValue();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function openForm(path = "/view/tok") {
  const lookups = respondWith("get", LINK, 200, aSharedIdea("collect"));
  const app = renderRoute(path);
  const name = await screen.findByLabelText("Full name");
  const email = screen.getByLabelText("Email");
  const submit = () => app.user.click(screen.getByRole("button", { name: /Continue/ }));
  const fill = async () => {
    await app.user.type(name, "Grace Hopper");
    await app.user.type(email, " grace@example.org ");
  };
  return { ...app, lookups, name, email, fill, submit };
}

/** Waits until a text is visible: while it is sent, the form is mounted but hidden. */
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeVisible());

test("shows that access is being verified until the server responds", async () => {
  const asked = neverRespond("get", LINK);
  renderRoute("/view/tok");
  expect(await screen.findByText("Verifying access...")).toBeVisible();
  await waitFor(() => expect(asked).toHaveLength(1));
});

test("shows who shares what and why details are needed, after one request", async () => {
  const { lookups } = await openForm();
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Ada Lovelace");
  expect(screen.getByText("A kettle that waits")).toBeVisible();
  expect(screen.getByText(/asks who you are because/)).toBeVisible();
  expect(await screen.findByRole("list", { name: "Progress" })).toBeVisible();
  expect(lookups).toHaveLength(1);
});

test.each(["/collect/tok", "/collect?accessToken=tok", "/view?accessToken=tok"])(
  "takes the token from %s",
  async (path) => {
    const { lookups } = await openForm(path);
    expect(lookups).toHaveLength(1);
  },
);

test("refuses a short name and a wrong email with the messages of docs/rules.md", async () => {
  const sent = respondWith("post", "/api/recipients", 201, aRecipient());
  const { user, name, email, submit } = await openForm();
  await user.type(name, " Al ");
  await user.type(email, "nowhere");
  await submit();
  for (const message of [
    "Name must be at least 3 characters",
    "Please enter a valid email address",
  ]) {
    await shows(message);
  }
  await waitFor(() => expect(name).toHaveFocus());
  expect(sent).toHaveLength(0);
});

test("registers once, waits about two seconds, and goes to the agreement", async () => {
  let resume: () => void = () => undefined;
  vi.mocked(pause).mockImplementation(() => new Promise((resolve) => (resume = resolve)));
  const sent = respondWith("post", "/api/recipients", 201, aRecipient());
  const { fill, submit, path, store, lookups } = await openForm();
  await fill();
  const agreement = respondWith("get", LINK, 200, aSharedIdea("nda"));
  await submit();
  expect(await screen.findByText("Verifying your details...")).toBeVisible();
  await waitFor(() => expect(pause).toHaveBeenCalledExactlyOnceWith(2000));
  expect(path()).toBe("/view/tok");
  resume();
  await waitFor(() => expect(path()).toBe("/nda/tok"));
  expect(await screen.findByRole("region", { name: "Agreement text" })).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { name: "Grace Hopper", email: "grace@example.org", phone: null, accessToken: "tok" },
  ]);
  await waitFor(() => expect(selectRecipient(store.getState())).toEqual(aRecipient()));
  expect([lookups.length, agreement.length]).toEqual([1, 1]);
});

test("says that cookies are blocked when the link asks again, and registers nobody twice", async () => {
  const sent = respondWith("post", "/api/recipients", 201, aRecipient());
  const { fill, submit, name, path } = await openForm();
  await fill();
  await submit();
  await shows(cookiesBlocked);
  expect(screen.getByRole("button", { name: /Continue/ })).toBeDisabled();
  expect(name).toHaveValue("Grace Hopper");
  expect(path()).toBe("/view/tok");
  expect(sent).toHaveLength(1);
});

test("says that cookies are blocked before anything is typed, if the browser admits it", async () => {
  vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
  await openForm();
  await shows(cookiesBlocked);
  expect(screen.getByRole("button", { name: /Continue/ })).toBeDisabled();
});

test("sends the phone number when there is one", async () => {
  const sent = respondWith("post", "/api/recipients", 500, { message: "no" });
  const { user, fill, submit } = await openForm();
  await fill();
  await user.type(screen.getByLabelText("Phone (optional)"), "+41 44 000 00 00");
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone: "+41 44 000 00 00" }));
});

test("shows the form again with what was typed when registering fails", async () => {
  respondWith("post", "/api/recipients", 500, { message: "no" });
  const { fill, submit, name, email, path } = await openForm();
  await fill();
  await submit();
  const texts = await screen.findAllByText("Failed to submit your information. Please try again.");
  expect(texts.length).toBeGreaterThan(0);
  await waitFor(() => expect(name).toBeVisible());
  expect(name).toHaveValue("Grace Hopper");
  expect(email).toHaveValue("grace@example.org");
  expect(path()).toBe("/view/tok");
});

test("sends details without an answer again under the same secret", async () => {
  const lost = loseResponse("post", "/api/recipients");
  const { name, fill, submit } = await openForm();
  await fill();
  await submit();
  await shows("Failed to submit your information. Please try again.");
  expect(name).toHaveValue("Grace Hopper");
  const sent = respondWith("post", "/api/recipients", 201, aRecipient());
  respondWith("get", LINK, 200, aSharedIdea("nda"));
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.key).toBe(lost[0]);
});

test("denies access when the link has ended while the form was filled in", async () => {
  respondWith("post", "/api/recipients", 404, { message: "Not found" });
  const { fill, submit, name, store } = await openForm();
  await fill();
  respondWith("get", LINK, 404, { message: "Not found" });
  await submit();
  expect(await screen.findByRole("heading", { name: "Access Denied" })).toBeVisible();
  expect(name).not.toBeInTheDocument();
  expect(store.getState().toast.current).toBeNull();
});

test("opens what another tab of this browser has taken the last view for", async () => {
  respondWith("post", "/api/recipients", 404, { message: "Not found" });
  respondWith("get", "/api/comments", 200, []);
  const { fill, submit, path } = await openForm();
  await fill();
  respondWith("get", LINK, 200, aSharedIdea("open"));
  await submit();
  await waitFor(() => expect(path()).toBe("/document/tok"));
});

test("keeps the form when a link that still asks for details did not take them", async () => {
  respondWith("post", "/api/recipients", 404, { message: "Not found" });
  const { fill, submit, name } = await openForm();
  await fill();
  await submit();
  await screen.findAllByText("Failed to submit your information. Please try again.");
  await waitFor(() => expect(name).toBeVisible());
  expect(name).toHaveValue("Grace Hopper");
});

test("shows at the email field that the link was sent to another address", async () => {
  respondWith("post", "/api/recipients", 403, { message: "This link was sent elsewhere." });
  const { fill, submit, email } = await openForm();
  await fill();
  await submit();
  await shows("This link was sent elsewhere.");
  expect(email).toHaveAccessibleDescription("This link was sent elsewhere.");
  expect(screen.queryByText(/Failed to submit/)).not.toBeInTheDocument();
});

test.each([
  ["nda", "/nda/tok"],
  ["open", "/document/tok"],
] as const)("does not ask a reader for details again at stage %s", async (stage, expected) => {
  const lookups = respondWith("get", LINK, 200, aSharedIdea(stage));
  respondWith("get", "/api/comments", 200, []);
  const { path } = renderRoute("/view/tok");
  await waitFor(() => expect(path()).toBe(expected));
  await screen.findByRole("heading", { level: 1 });
  expect(lookups).toHaveLength(1);
});

test.each(["/view", "/collect", "/nda", "/document"])(
  "denies access without a token at %s",
  async (path) => {
    renderRoute(path);
    expect(
      await screen.findByText("The link you're trying to access is invalid or has expired."),
    ).toBeVisible();
  },
);

test("denies access to an invalid link and leads home", async () => {
  respondWith("get", LINK, 404, { message: "Not found" });
  const { user, path } = renderRoute("/view/tok");
  expect(await screen.findByRole("heading", { name: "Access Denied" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "Return Home" }));
  await waitFor(() => expect(path()).toBe("/"));
});

test("offers a retry when the server did not respond", async () => {
  respondWith("get", LINK, 503, { message: "busy" });
  const { user } = renderRoute("/view/tok");
  const again = await screen.findByRole("button", { name: "Try Again" });
  respondWith("get", LINK, 200, aSharedIdea("collect"));
  await user.click(again);
  expect(await screen.findByLabelText("Full name")).toBeVisible();
});

test("somebody else registers in a browser whose reader closed the document", async () => {
  respondWith("get", LINK, 410, anEndedVisit("closed"));
  const { user } = renderRoute("/view/tok");
  const other = await screen.findByRole("button", { name: "Enter other details" });
  // What the link shows without the cookies of the reader before.
  respondWith("get", LINK, 200, aSharedIdea("collect"));
  await user.click(other);
  expect(await screen.findByText("A kettle that waits")).toBeVisible();
  await user.type(await screen.findByLabelText("Full name"), "Vera Rubin");
  await user.type(screen.getByLabelText("Email"), "vera@example.org");
  respondWith("post", "/api/recipients", 201, aRecipient());
  respondWith("get", LINK, 200, aSharedIdea("nda"));
  await user.click(screen.getByRole("button", { name: "Continue to the agreement" }));
  expect(await screen.findByRole("button", { name: "Decline" })).toBeVisible();
});
