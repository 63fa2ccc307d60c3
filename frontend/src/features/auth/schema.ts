import { object, ref, string } from "yup";

const EMAIL = "Please enter a valid email address";
const PASSWORD = "Password must be at least 6 characters";
const NAME = "Name must be at least 2 characters";
const MISMATCH = "Passwords don't match";

const email = string().trim().required(EMAIL).email(EMAIL);
const password = string().required(PASSWORD).min(6, PASSWORD);

/** Spec section 5, Login. */
export const loginSchema = object({ email, password });

/** Spec section 5, Register. */
export const registerSchema = object({
  name: string().trim().required(NAME).min(2, NAME),
  email,
  password,
  confirmPassword: string()
    .required(PASSWORD)
    .min(6, PASSWORD)
    .oneOf([ref("password")], MISMATCH),
});

/** Spec section 5, Forgot password. Whether an address exists is for the mail to find out. */
export const forgotPasswordSchema = object({
  email: string().trim().required("Please enter your email address."),
});

const NEW_PASSWORD = "New password must be at least 6 characters";
const CONFIRMATION = "Please confirm your new password";

/** The new password behind a reset link; it follows the rules of a password change. */
export const resetPasswordSchema = object({
  newPassword: string().required(NEW_PASSWORD).min(6, NEW_PASSWORD),
  confirmPassword: string()
    .required(CONFIRMATION)
    .oneOf([ref("newPassword")], MISMATCH),
});
