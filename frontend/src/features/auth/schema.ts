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
