import { object, string } from "yup";
import { emailAddress } from "@/ui/form/emailAddress";

const EMAIL = "Please enter a valid email";

/** Waitlist (docs/rules.md#waitlist). */
export const waitlistSchema = object({
  name: string().trim().required("Name is required"),
  email: emailAddress(EMAIL),
  profession: string().trim().required("Profession is required"),
});
