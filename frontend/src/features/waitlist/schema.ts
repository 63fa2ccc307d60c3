import { object, string } from "yup";
import { emailAddress } from "@/ui/form/emailAddress";

const EMAIL = "Please enter a valid email";
const NAME = "Name must be at least 2 characters";

/** Waitlist (docs/rules.md#waitlist). */
export const waitlistSchema = object({
  name: string().trim().required("Name is required").min(2, NAME),
  email: emailAddress(EMAIL),
  profession: string().trim().required("Profession is required"),
});
