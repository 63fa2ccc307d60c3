import { object, string } from "yup";

const NAME = "Name must be at least 3 characters";
const EMAIL = "Please enter a valid email address";

/** Recipient details (docs/rules.md#recipient-fields). */
export const collectSchema = object({
  name: string().trim().required(NAME).min(3, NAME),
  email: string().trim().required(EMAIL).email(EMAIL),
  phone: string(),
});
