import { validateYupSchema, yupToFormErrors } from "formik";
import { expect, test } from "vitest";
import type { AnySchema, Lazy } from "yup";
import {
  forgotPasswordSchema,
  loginSchema,
  registerSchema,
  resetPasswordSchema,
} from "@/features/auth/schema";
import { messages as ideaMessages } from "@/features/ideas/messages";
import { pdfProblem, titleFromFile } from "@/features/ideas/pdfFile";
import { passwordSchema, profileSchema } from "@/features/profile/schema";
import { collectSchema } from "@/features/recipient/schema";
import { shareSchema } from "@/features/shares/schema";
import { waitlistSchema } from "@/features/waitlist/schema";

/** The messages a form shows per field, found the way the forms find them. */
async function problems(schema: AnySchema | Lazy<unknown>, values: object) {
  try {
    await validateYupSchema(values, schema);
    return {};
  } catch (problem) {
    return yupToFormErrors<Record<string, string>>(problem);
  }
}

const login = { email: "ada@example.org", password: "secret" };
const register = { ...login, name: "Ad", confirmPassword: "secret" };
const collect = { name: "Ada", email: "ada@example.org", phone: "" };
const waitlist = { name: "A", email: "ada@example.org", profession: "x" };
const change = { currentPassword: "x", newPassword: "secret", confirmPassword: "secret" };
const share = { shareType: "full-access", expiresAt: "", maxViews: "", recipientEmail: "" };

const EMAIL = "Please enter a valid email address";
const PASSWORD = "Password must be at least 6 characters";
const NAME_2 = "Name must be at least 2 characters";
const NAME_3 = "Name must be at least 3 characters";
const MISMATCH = "Passwords don't match";

/** Rows of spec section 5: form, schema, good values, field, bad value, message. */
const rows: [string, AnySchema | Lazy<unknown>, object, string, string, string][] = [
  ["Login", loginSchema, login, "email", "ada", EMAIL],
  ["Login", loginSchema, login, "email", "", EMAIL],
  ["Login", loginSchema, login, "password", "12345", PASSWORD],
  ["Login", loginSchema, login, "password", "", PASSWORD],
  ["Register", registerSchema, register, "name", "A", NAME_2],
  ["Register", registerSchema, register, "name", " A ", NAME_2],
  ["Register", registerSchema, register, "email", "ada@", EMAIL],
  ["Register", registerSchema, register, "password", "12345", PASSWORD],
  ["Register", registerSchema, register, "confirmPassword", "another", MISMATCH],
  [
    "Forgot password",
    forgotPasswordSchema,
    { email: "a" },
    "email",
    " ",
    "Please enter your email address.",
  ],
  ["Collect form", collectSchema, collect, "name", "Ad", NAME_3],
  ["Collect form", collectSchema, collect, "email", "ada", EMAIL],
  ["Waitlist", waitlistSchema, waitlist, "name", " ", "Name is required"],
  ["Waitlist", waitlistSchema, waitlist, "email", "ada", "Please enter a valid email"],
  ["Waitlist", waitlistSchema, waitlist, "profession", "", "Profession is required"],
  [
    "Share form",
    shareSchema,
    { ...share, shareType: "email", recipientEmail: "a@b.de" },
    "recipientEmail",
    "ada",
    EMAIL,
  ],
  ["Profile name", profileSchema, { name: "Ad" }, "name", "A", NAME_2],
  [
    "Password change: current",
    passwordSchema,
    change,
    "currentPassword",
    "",
    "Current password is required",
  ],
  [
    "Password change: new",
    passwordSchema,
    { ...change, confirmPassword: "12345" },
    "newPassword",
    "12345",
    "New password must be at least 6 characters",
  ],
  [
    "Password change: confirm",
    passwordSchema,
    change,
    "confirmPassword",
    "",
    "Please confirm your new password",
  ],
  ["Password change: confirm", passwordSchema, change, "confirmPassword", "another", MISMATCH],
  [
    "Reset password (as a change)",
    resetPasswordSchema,
    change,
    "confirmPassword",
    "another",
    MISMATCH,
  ],
];

test.each(rows)("section 5, %s", async (_form, schema, good, field, bad, message) => {
  expect(await problems(schema, { ...good, [field]: bad })).toMatchObject({ [field]: message });
  expect(await problems(schema, good)).not.toHaveProperty(field);
});

test("section 5, Register: the confirmation has at least 6 characters, too", async () => {
  const short = { ...register, password: "12345", confirmPassword: "12345" };
  expect(await problems(registerSchema, short)).toEqual({
    password: PASSWORD,
    confirmPassword: PASSWORD,
  });
});

test("section 5, Collect form: the phone is optional", async () => {
  expect(await problems(collectSchema, { ...collect, phone: "" })).toEqual({});
});

const file = (name: string, type: string, size: number) =>
  Object.defineProperty(new File([], name, { type }), "size", { value: size });

test.each([
  ["text/plain", 1, "Invalid File Type", "Only PDF files are supported at this time"],
  ["application/pdf", 10_485_761, "File Too Large", "PDF files must be less than 10MB"],
])("section 5, PDF upload: %s of %d bytes", (type, size, title, description) => {
  expect(pdfProblem(file("x.pdf", type, size))).toEqual({ title, description });
});

test("sections 5 and 9, PDF upload: 10 MB is not too much, and the title has no '.pdf'", () => {
  expect(pdfProblem(file("x.pdf", "application/pdf", 10_485_760))).toBeNull();
  expect(titleFromFile(file("Planter.pdf", "application/pdf", 1))).toBe("Planter");
});

test("section 5, Delete a draft", () => {
  expect(ideaMessages.deleteQuestion("Planter")).toBe(
    'Are you sure you want to delete "Planter"? This action cannot be undone.',
  );
});
