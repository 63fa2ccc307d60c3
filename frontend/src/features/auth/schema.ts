import { object, ref, string } from "yup";
import { emailAddress } from "@/ui/form/emailAddress";

const EMAIL = "Please enter a valid email address";
const PASSWORD = "Password must be at least 6 characters";
const NAME = "Name must be at least 2 characters";
const MISMATCH = "Passwords don't match";

const email = emailAddress(EMAIL);
const password = string().required(PASSWORD).min(6, PASSWORD);

/** Login (docs/rules.md#account-fields). */
export const loginSchema = object({ email, password });

/** Registration (docs/rules.md#account-fields). */
export const registerSchema = object({
  name: string().trim().required(NAME).min(2, NAME),
  email,
  password,
  confirmPassword: string()
    .required(PASSWORD)
    .min(6, PASSWORD)
    .oneOf([ref("password")], MISMATCH),
});

/** Forgot password. Does not reveal whether an address exists. */
export const forgotPasswordSchema = object({
  email: string().trim().required("Please enter your email address."),
});

const NEW_PASSWORD = "New password must be at least 6 characters";
const CONFIRMATION = "Please confirm your new password";

/** New password after a reset; the rules are those of a password change. */
export const resetPasswordSchema = object({
  newPassword: string().required(NEW_PASSWORD).min(6, NEW_PASSWORD),
  confirmPassword: string()
    .required(CONFIRMATION)
    .oneOf([ref("newPassword")], MISMATCH),
});
