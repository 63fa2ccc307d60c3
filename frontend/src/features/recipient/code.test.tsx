import { act, configure, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { SharedIdea, Verification } from "@/api/generated";
import { loseResponse, neverRespond, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { pause } from "./pause";
import { aRecipient, aSharedIdea } from "./testing/fixtures";

vi.mock("./pause", { spy: true });
configure({ reactStrictMode: true });

const LINK = "/api/share/tok";
const VERIFY = `/api/recipients/${aRecipient().id}/verify`;
const ANOTHER = `/api/recipients/${aRecipient().id}/code`;
const SPENT = "This code no longer works. Please request a new one.";

beforeEach(() => {
  vi.mocked(pause).mockResolvedValue();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const waiting = (over: Partial<Verification> = {}): SharedIdea =>
  aSharedIdea("verify", {
    shareType: "email",
    verification: { expiresIn: 600, triesLeft: 5, resendIn: 0, ...over },
  });

async function openCode(shared = waiting()) {
  const lookups = respondWith("get", LINK, 200, shared);
  const app = renderRoute("/view/tok");
  const code = await screen.findByLabelText("Code");
  const confirm = () => app.user.click(screen.getByRole("button", { name: "Confirm" }));
  const another = () => app.user.click(screen.getByRole("button", { name: "Send a new code" }));
  return { ...app, lookups, code, confirm, another };
}

test("registering on a link by email leads to the code, at the same address", async () => {
  respondWith("get", LINK, 200, aSharedIdea("collect", { shareType: "email" }));
  respondWith("post", "/api/recipients", 201, aRecipient());
  const { user, path } = renderRoute("/view/tok");
  await user.type(await screen.findByLabelText("Full name"), "Grace Hopper");
  expect(await screen.findByText(/we will send you a code/)).toBeVisible();
  await user.type(screen.getByLabelText("Email"), "grace@example.org");
  respondWith("get", LINK, 200, waiting());
  await user.click(screen.getByRole("button", { name: /Continue/ }));
  const heading = await screen.findByRole("heading", { name: "Confirm your email address" });
  await waitFor(() => expect(heading).toHaveFocus());
  await waitFor(() => expect(document.title).toBe("Confirm your email address · IdeaVault"));
  expect(path()).toBe("/view/tok");
});

test("opens the code's step at its top, however far the form was scrolled", async () => {
  respondWith("get", LINK, 200, aSharedIdea("collect", { shareType: "email" }));
  respondWith("post", "/api/recipients", 201, aRecipient());
  const { user } = renderRoute("/view/tok");
  await user.type(await screen.findByLabelText("Full name"), "Grace Hopper");
  await user.type(screen.getByLabelText("Email"), "grace@example.org");
  respondWith("get", LINK, 200, waiting());
  const scrolled = vi.spyOn(window, "scrollTo");
  await user.click(screen.getByRole("button", { name: /Continue/ }));
  await screen.findByRole("heading", { name: "Confirm your email address" });
  await waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 0));
});

test("shows to which address the code was sent, and allows autofill", async () => {
  const { code } = await openCode();
  expect(screen.getByText("grace@example.org")).toBeVisible();
  expect(code).toHaveAttribute("autocomplete", "one-time-code");
  expect(code).toHaveAttribute("inputmode", "numeric");
  expect(code).toHaveAccessibleDescription("6 digits. It works for 10 minutes.");
});

test("accepts a pasted code with spaces, and continues with the agreement", async () => {
  const sent = respondWith("post", VERIFY, 200, aRecipient());
  const { user, code, confirm, path } = await openCode();
  await user.click(code);
  await user.paste(" 123 456 ");
  respondWith("get", LINK, 200, aSharedIdea("nda"));
  await confirm();
  await waitFor(() => expect(path()).toBe("/nda/tok"));
  expect(await screen.findByRole("region", { name: "Agreement text" })).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ code: "123456" }]);
});

test.each(["", "12345", "1234567", "12345a"])(
  "requires six digits when given '%s'",
  async (typed) => {
    const sent = respondWith("post", VERIFY, 200, aRecipient());
    const { code, confirm } = await openCode();
    fireEvent.change(code, { target: { value: typed } });
    await confirm();
    expect(await screen.findByText("Please enter the 6 digits of the code")).toBeVisible();
    await waitFor(() => expect(code).toHaveFocus());
    expect(code).toBeInvalid();
    expect(sent).toHaveLength(0);
  },
);

test("shows that it is checking, and checks once", async () => {
  const sent = neverRespond("post", VERIFY);
  const { user, code } = await openCode();
  await user.type(code, "123456{Enter}{Enter}");
  expect(await screen.findByRole("button", { name: "Checking..." })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  await user.keyboard("{Enter}");
  await waitFor(() => expect(sent).toHaveLength(1));
});

test("sends a code without an answer again under the same secret, another one under another", async () => {
  const lost = loseResponse("post", VERIFY);
  const { user, code, confirm } = await openCode();
  await user.type(code, "123456");
  await confirm();
  expect(await screen.findByText("Failed to check the code. Please try again.")).toBeVisible();
  expect(code).toHaveValue("123456");
  const sent = respondWith("post", VERIFY, 400, { message: "no", field: "code" });
  await confirm();
  await waitFor(() => expect(sent).toHaveLength(1));
  await user.clear(code);
  await user.type(code, "654321");
  await confirm();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.key).toBe(lost[0]);
  expect(sent[1]?.key).not.toBe(lost[0]);
});

test("shows a wrong code at the field, and keeps what was typed", async () => {
  const message = "That code is not right. You have 4 tries left.";
  respondWith("post", VERIFY, 400, { message, field: "code" });
  const { user, code, confirm, path } = await openCode();
  await user.type(code, "123456");
  await confirm();
  expect(await screen.findByText(message)).toBeVisible();
  expect(code).toHaveAccessibleDescription(/That code is not right/);
  expect(code).toHaveValue("123456");
  await waitFor(() => expect(code).toHaveFocus());
  expect(path()).toBe("/view/tok");
});

test("continues when another tab has confirmed the address", async () => {
  const message = "Your email address is already confirmed.";
  respondWith("post", VERIFY, 400, { message, field: "code" });
  const { user, code, confirm, path } = await openCode();
  await user.type(code, "123456");
  respondWith("get", LINK, 200, aSharedIdea("nda"));
  await confirm();
  await waitFor(() => expect(path()).toBe("/nda/tok"));
});

test.each([{ triesLeft: 0 }, { expiresIn: 0 }])(
  "shows after a reload that a code with %o left is used up",
  async (over) => {
    await openCode(waiting(over));
    expect(await screen.findByRole("alert")).toHaveTextContent(SPENT);
  },
);

test("reports that the server did not respond, and allows a retry", async () => {
  respondWith("post", VERIFY, 503, {});
  const { user, code, confirm } = await openCode();
  await user.type(code, "123456");
  await confirm();
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Failed to check the code. Please try again.",
  );
  expect(await screen.findByRole("button", { name: "Confirm" })).toBeEnabled();
});

test("denies access when the link became invalid meanwhile", async () => {
  respondWith("post", VERIFY, 404, { message: "Not found" });
  const { user, code, confirm } = await openCode();
  await user.type(code, "123456");
  respondWith("get", LINK, 404, { message: "Not found" });
  await confirm();
  expect(await screen.findByRole("heading", { name: "Access Denied" })).toBeVisible();
});

test("counts down until another code can be requested", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  try {
    await openCode(waiting({ resendIn: 42 }));
    const button = screen.getByRole("button", { name: /^Send a new code/ });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleName("Send a new code in 42 s");
    await act(() => vi.advanceTimersByTimeAsync(43_000));
    expect(button).toHaveAccessibleName("Send a new code");
    expect(button).toBeEnabled();
  } finally {
    vi.useRealTimers();
  }
});

test("requests another code, reports it, and clears the previous one", async () => {
  const sent = respondWith("post", ANOTHER, 202, { expiresIn: 600, triesLeft: 5, resendIn: 60 });
  const { user, code, another } = await openCode(waiting({ triesLeft: 0 }));
  await user.type(code, "123456");
  respondWith("get", LINK, 200, waiting({ resendIn: 60 }));
  await another();
  expect(await screen.findByText(/We have sent a new code to grace@example.org/)).toBeVisible();
  await waitFor(() => expect(code).toHaveValue(""));
  await waitFor(() => expect(screen.queryByRole("alert")).not.toBeInTheDocument());
  expect(await screen.findByRole("button", { name: /^Send a new code in \d+ s$/ })).toBeDisabled();
  expect(sent).toHaveLength(1);
});

test("shows why no other code was sent", async () => {
  const message = "Too many requests. Please try again later.";
  respondWith("post", ANOTHER, 429, { message });
  const { another } = await openCode();
  await another();
  expect(await screen.findByRole("alert")).toHaveTextContent(message);
});
