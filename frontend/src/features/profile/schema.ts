import { object, ref, string } from "yup";
import { codeDigits } from "@/ui/codeDigits";

const NAME = "Name must be at least 2 characters";
const CURRENT = "Current password is required";
const APP_CODE = "Please enter the 6 digits of the code";
const NEW = "New password must be at least 6 characters";
const CONFIRMATION = "Please confirm your new password";

/** Profile name (docs/rules.md#account-fields). */
export const profileSchema = object({ name: string().trim().required(NAME).min(2, NAME) });

/** Password confirmation before a change of the account's protection. */
export const currentPasswordSchema = object({ currentPassword: string().required(CURRENT) });

/** Code of an authenticator app, however it is written. */
export const appCodeSchema = object({
  code: string()
    .transform(codeDigits)
    .required(APP_CODE)
    .matches(/^\d{6}$/, APP_CODE),
});

/** Password change (docs/rules.md#password-change). */
export const passwordSchema = object({
  currentPassword: string().required(CURRENT),
  newPassword: string().required(NEW).min(6, NEW),
  confirmPassword: string()
    .required(CONFIRMATION)
    .oneOf([ref("newPassword")], "Passwords don't match"),
});
