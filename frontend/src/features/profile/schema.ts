import { object, ref, string } from "yup";

const NAME = "Name must be at least 2 characters";
const CURRENT = "Current password is required";
const NEW = "New password must be at least 6 characters";
const CONFIRMATION = "Please confirm your new password";

/** Spec section 5, Profile name. */
export const profileSchema = object({ name: string().trim().required(NAME).min(2, NAME) });

/** Spec section 5, Password change. */
export const passwordSchema = object({
  currentPassword: string().required(CURRENT),
  newPassword: string().required(NEW).min(6, NEW),
  confirmPassword: string()
    .required(CONFIRMATION)
    .oneOf([ref("newPassword")], "Passwords don't match"),
});
