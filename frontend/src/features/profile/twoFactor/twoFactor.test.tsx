import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { loseResponse, respondWith, signedIn } from "@/testing/api";
import { renderRoute } from "@/testing/render";

const off = { enabled: false, recoveryCodesLeft: 0 };
const on = { enabled: true, recoveryCodesLeft: 10 };
const setup = {
  secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  uri: "otpauth://totp/IdeaVault:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  qr: ["110", "001", "101"],
};
const codes = ["0H2K-4N6Q-8SAV-CXEZ", "1111-2222-3333-4444"];

const twoFactor = () => screen.findByRole("region", { name: "Two-step sign-in" });

async function openSection(status: object) {
  signedIn();
  respondWith("get", "/api/auth/totp", 200, status);
  const app = renderRoute("/profile");
  const region = await twoFactor();
  return { ...app, section: within(region) };
}

/** Opens the setup up to the code. */
async function openSetup() {
  const app = await openSection(off);
  const begun = respondWith("post", "/api/auth/totp", 200, setup);
  await app.user.click(await app.section.findByRole("button", { name: "Set up" }));
  await app.user.type(await app.section.findByLabelText("Your password"), "brass-and-ink{Enter}");
  await app.section.findByLabelText("Code");
  return { ...app, begun };
}

test("is set up with the password and the app's code, and shows recovery codes once", async () => {
  const { user, path, section, begun } = await openSetup();
  expect(begun[0]?.body).toEqual({ currentPassword: "brass-and-ink" });
  const picture = section.getByRole("img", { name: "QR code with the secret for your app" });
  expect(picture).toHaveAttribute("viewBox", "-4 -4 11 11");
  expect(picture.querySelector("path")).toHaveAttribute(
    "d",
    "M0 0h2v1h-2zM2 1h1v1h-1zM0 2h1v1h-1zM2 2h1v1h-1z",
  );
  expect(section.getByText("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")).toBeVisible();

  const confirmed = respondWith("put", "/api/auth/totp", 200, { recoveryCodes: codes });
  respondWith("get", "/api/auth/totp", 200, on);
  await user.type(section.getByLabelText("Code"), "123 456{Enter}");
  const list = await section.findByRole("list", { name: "Recovery codes" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(codes);
  expect(confirmed[0]?.body).toEqual({ code: "123456" });
  await waitFor(() => expect(section.getByText(/They will not be shown again/)).toHaveFocus());

  await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  await user.click(await screen.findByRole("button", { name: "Stay" }));
  expect(path()).toBe("/profile");
  await user.click(section.getByRole("button", { name: "I have saved them" }));
  await waitFor(() => expect(list).not.toBeInTheDocument());
  expect(await section.findByText(/You have 10 recovery codes left/)).toBeVisible();
});

test("copies and saves the recovery codes", async () => {
  const { user, section } = await openSetup();
  respondWith("put", "/api/auth/totp", 200, { recoveryCodes: codes });
  await user.type(section.getByLabelText("Code"), "123456{Enter}");
  await user.click(await section.findByRole("button", { name: "Copy codes" }));
  expect(await navigator.clipboard.readText()).toBe(`${codes.join("\n")}\n`);
  const files: string[] = [];
  URL.createObjectURL = vi.fn(() => "blob:codes");
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    files.push(this.download);
  });
  await user.click(section.getByRole("button", { name: "Download" }));
  expect(files).toEqual(["IdeaVault-recovery-codes.txt"]);
});

test("shows at the fields what is wrong with a password or a code", async () => {
  const { user, section } = await openSection(off);
  await user.click(await section.findByRole("button", { name: "Set up" }));
  const password = await section.findByLabelText("Your password");
  await waitFor(() => expect(password).toHaveFocus());
  await user.click(section.getByRole("button", { name: "Continue" }));
  expect(await section.findByText("Current password is required")).toBeVisible();
  const message = "Current password is incorrect";
  respondWith("post", "/api/auth/totp", 400, { message, field: "currentPassword" });
  await user.type(password, "wrong-password{Enter}");
  expect(await section.findByText(message)).toBeVisible();
  respondWith("post", "/api/auth/totp", 200, setup);
  await user.type(password, "{Enter}");

  const code = await section.findByLabelText("Code");
  await user.type(code, "12345{Enter}");
  expect(await section.findByText("Please enter the 6 digits of the code")).toBeVisible();
  respondWith("put", "/api/auth/totp", 400, { message: "That code is not right.", field: "code" });
  await user.type(code, "6{Enter}");
  expect(await section.findByText("That code is not right.")).toBeVisible();
  await waitFor(() => expect(code).toBeInvalid());
});

test("keeps another failure visible", async () => {
  const { user, section } = await openSetup();
  respondWith("put", "/api/auth/totp", 429, { message: "Too many requests." });
  await user.type(section.getByLabelText("Code"), "123456{Enter}");
  expect(await section.findByRole("alert")).toHaveTextContent("Too many requests.");
});

test("says that it may be on when no answer comes", async () => {
  const { user, section } = await openSetup();
  loseResponse("put", "/api/auth/totp");
  await user.type(section.getByLabelText("Code"), "123456{Enter}");
  expect(await section.findByRole("alert")).toHaveTextContent("two-step sign-in may already be on");
});

test("can be cancelled", async () => {
  const { user, section } = await openSetup();
  await user.click(section.getByRole("button", { name: "Cancel" }));
  expect(await section.findByRole("button", { name: "Set up" })).toBeVisible();
  expect(section.queryByLabelText("Code")).not.toBeInTheDocument();
});

test("is turned off with the password", async () => {
  const { user, section } = await openSection({ enabled: true, recoveryCodesLeft: 1 });
  expect(await section.findByText(/You have one recovery code left/)).toBeVisible();
  await user.click(section.getByRole("button", { name: "Turn off" }));
  const removed = respondWith("delete", "/api/auth/totp", 204);
  respondWith("get", "/api/auth/totp", 200, off);
  await user.type(await section.findByLabelText("Your password"), "brass-and-ink{Enter}");
  expect(await screen.findByText("Two-step sign-in is off")).toBeVisible();
  expect(removed[0]?.body).toEqual({ currentPassword: "brass-and-ink" });
  expect(await section.findByRole("button", { name: "Set up" })).toBeVisible();
});

test("setting up what another tab has turned on does not turn it off", async () => {
  const { user, section } = await openSection(off);
  await user.click(await section.findByRole("button", { name: "Set up" }));
  respondWith("post", "/api/auth/totp", 409, { message: "Two-step sign-in is already on." });
  respondWith("get", "/api/auth/totp", 200, on);
  const removed = respondWith("delete", "/api/auth/totp", 204);
  const password = await section.findByLabelText("Your password");
  await user.type(password, "brass-and-ink{Enter}");
  expect(await section.findByText(/You have 10 recovery codes left/)).toBeVisible();
  expect(section.getByRole("alert")).toHaveTextContent("Two-step sign-in is already on.");
  const again = respondWith("post", "/api/auth/totp", 409, { message: "It is on." });
  await user.type(password, "{Enter}");
  expect(await section.findByText("It is on.")).toBeVisible();
  expect([again.length, removed.length]).toEqual([1, 0]);
  await user.click(section.getByRole("button", { name: "Cancel" }));
  expect(section.getByRole("button", { name: "Turn off" })).toBeVisible();
});

test("makes new recovery codes with the password", async () => {
  const { user, section } = await openSection({ enabled: true, recoveryCodesLeft: 1 });
  await user.click(await section.findByRole("button", { name: "New recovery codes" }));
  const password = await section.findByLabelText("Your password");
  await waitFor(() => expect(password).toHaveFocus());
  expect(password).toHaveAccessibleDescription("Your old recovery codes will stop working.");
  const message = "Current password is incorrect";
  respondWith("post", "/api/auth/totp/recovery-codes", 400, { message, field: "currentPassword" });
  await user.type(password, "wrong-password{Enter}");
  expect(await section.findByText(message)).toBeVisible();

  const replaced = respondWith("post", "/api/auth/totp/recovery-codes", 200, {
    recoveryCodes: codes,
  });
  respondWith("get", "/api/auth/totp", 200, on);
  await user.clear(password);
  await user.type(password, "brass-and-ink{Enter}");
  expect(await section.findByRole("list", { name: "Recovery codes" })).toBeVisible();
  expect(replaced[0]?.body).toEqual({ currentPassword: "brass-and-ink" });
  expect(await screen.findByText("You have new recovery codes")).toBeVisible();
  await user.click(section.getByRole("button", { name: "I have saved them" }));
  expect(await section.findByText(/You have 10 recovery codes left/)).toBeVisible();
});

test("shows what to do when no recovery code is left", async () => {
  const { section } = await openSection({ enabled: true, recoveryCodesLeft: 0 });
  expect(await section.findByText(/Please create new ones/)).toBeVisible();
});

test("offers to try again when it cannot be loaded", async () => {
  signedIn();
  respondWith("get", "/api/auth/totp", 503, { message: "The database is away." });
  const { user } = renderRoute("/profile");
  const shown = within(await twoFactor());
  expect(await shown.findByRole("alert")).toBeVisible();
  respondWith("get", "/api/auth/totp", 200, off);
  await user.click(shown.getByRole("button", { name: "Try again" }));
  expect(await shown.findByRole("button", { name: "Set up" })).toBeVisible();
});
