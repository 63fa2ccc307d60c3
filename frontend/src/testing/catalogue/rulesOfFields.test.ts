import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, vi } from "vitest";
import { findEditor } from "@/features/editor/testPage";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { fieldRules } from "./rows/formRules";
import { openShare, openWaitlist } from "./testing/sharingSteps";
import { type App, fill, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { type Reply, record } from "./testing/wire";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

/** A form with the minimal input that it accepts. */
interface FormUnderTest {
  readonly open: () => Promise<App>;
  readonly accepted: Readonly<Record<string, string>>;
  readonly submit: string;
  readonly call: string;
  readonly reply?: Reply;
}

const at = (path: string) => async () => renderRoute(path);

const login: FormUnderTest = {
  open: at("/login"),
  accepted: { Email: "a@b.de", Password: "secret" },
  submit: "Sign in",
  call: "POST /api/auth/login",
};
const register: FormUnderTest = {
  open: at("/register"),
  accepted: {
    "Full Name": "Ad",
    Email: "a@b.de",
    Password: "secret",
    "Confirm Password": "secret",
  },
  submit: "Create account",
  call: "POST /api/auth/register",
};
const forgot: FormUnderTest = {
  open: at("/forgot-password"),
  accepted: { Email: "x" },
  submit: "Send Reset Link",
  call: "POST /api/auth/forgot-password",
};
const collect: FormUnderTest = {
  open: at("/collect/tok"),
  accepted: { "Full name": "Ada", Email: "a@b.de" },
  submit: "Continue to the agreement",
  call: "POST /api/recipients",
};
const waitlist: FormUnderTest = {
  open: openWaitlist,
  accepted: { Name: "Ad", Email: "a@b.de", Profession: "B" },
  submit: "Join Waitlist",
  call: "POST /api/waitlist",
};
const title: FormUnderTest = {
  open: async () => {
    const app = renderRoute("/editor/new");
    await findEditor();
    return app;
  },
  accepted: { Title: "x" },
  submit: "Create Idea",
  call: "POST /api/ideas",
  reply: [201, anIdea({ id: 12 })],
};
const share = (type: string, accepted: FormUnderTest["accepted"], submit: string) => ({
  open: async () => {
    const app = await openShare();
    await app.user.click(screen.getByRole("radio", { name: type }));
    return app;
  },
  accepted,
  submit,
  call: "POST /api/shares",
});
const profile: FormUnderTest = {
  open: at("/profile"),
  accepted: { Name: "Ad" },
  submit: "Save Changes",
  call: "PUT /api/profile",
};
const change: FormUnderTest = {
  open: async () => {
    const app = renderRoute("/profile");
    await press(app, "Change Password");
    await screen.findByLabelText("Current Password");
    return app;
  },
  accepted: {
    "Current Password": "x",
    "New Password": "secret",
    "Confirm New Password": "secret",
  },
  submit: "Change Password",
  call: "POST /api/auth/change-password",
};

/** The form, the field with the error, and the invalid input. */
type Row = readonly [FormUnderTest, field: string, wrong: Readonly<Record<string, string>>];

const wrong = (form: FormUnderTest, field: string, value: string): Row => [
  form,
  field,
  { [field]: value },
];

const table: Record<keyof typeof fieldRules, Row> = {
  "Login: email valid": wrong(login, "Email", "ada"),
  "Login: password at least 6 characters": wrong(login, "Password", "12345"),
  "Register: name at least 2 characters": wrong(register, "Full Name", " A "),
  "Register: email valid": wrong(register, "Email", "ada@"),
  "Register: password at least 6": wrong(register, "Password", "12345"),
  "Register: confirmPassword at least 6": [
    register,
    "Confirm Password",
    { Password: "12345", "Confirm Password": "12345" },
  ],
  "Register: password equals confirmPassword": wrong(register, "Confirm Password", "another"),
  "Forgot password: email not empty": wrong(forgot, "Email", " "),
  "Collect form: name at least 3 characters": wrong(collect, "Full name", "Ad "),
  "Collect form: email valid": wrong(collect, "Email", "ada"),
  "Waitlist: name required": wrong(waitlist, "Name", " "),
  "Waitlist: email valid": wrong(waitlist, "Email", "ada"),
  "Waitlist: profession required": wrong(waitlist, "Profession", ""),
  "Idea title: not blank after trimming": wrong(title, "Title", "   "),
  "Share form: recipientEmail valid email": wrong(
    share("Share by Email (Full Access)", { "Recipient Email": "a@b.de" }, "Send Email Invitation"),
    "Recipient Email",
    "ada",
  ),
  "Share form: maxViews number": wrong(
    share("One-time view", { "Maximum Views": "1" }, "Generate Share Link"),
    "Maximum Views",
    "0",
  ),
  "Profile name: at least 2 characters": wrong(profile, "Name", "A"),
  "Password change: current: required": wrong(change, "Current Password", ""),
  "Password change: new: at least 6 characters": wrong(change, "New Password", "12345"),
  "Password change: confirm: required": wrong(change, "Confirm New Password", ""),
  "Password change: confirm: equals new password": wrong(change, "Confirm New Password", "another"),
};

const messageIn = (message: string | null) => expect.stringContaining(message ?? "");

eachRow(
  "form rules",
  Object.keys(fieldRules) as (keyof typeof fieldRules)[],
  table,
  async ([form, field, values], name) => {
    serve();
    const sent = record(form.call, form.reply ?? [503]);
    const app = await form.open();
    await fill({ ...form.accepted, ...values });
    await press(app, form.submit);
    const input = screen.getByLabelText(field);
    await waitFor(() => expect(input).toHaveAttribute("aria-invalid", "true"));
    expect(input).toHaveAccessibleDescription(messageIn(fieldRules[name]));
    expect(sent).toHaveLength(0);
    // One step further, the rule is satisfied and the form is accepted.
    await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
    await fill(form.accepted);
    await press(app, form.submit);
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() => expect(input).not.toHaveAttribute("aria-invalid", "true"));
  },
);
