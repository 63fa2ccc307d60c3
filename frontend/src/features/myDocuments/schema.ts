import { object } from "yup";
import { emailAddress } from "@/ui/form/emailAddress";

/** The address whose documents are asked for (docs/rules.md#account-fields). */
export const addressSchema = object({
  email: emailAddress("Please enter a valid email address"),
});
