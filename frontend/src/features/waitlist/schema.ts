import { object, string } from "yup";

const EMAIL = "Please enter a valid email";

/** Waitlist (docs/rules.md#waitlist). */
export const waitlistSchema = object({
  name: string().trim().required("Name is required"),
  email: string().trim().required(EMAIL).email(EMAIL),
  profession: string().trim().required("Profession is required"),
});
