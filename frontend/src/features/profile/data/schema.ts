import { object, string } from "yup";

/** The deletion of an account; `asksForCode` with two-step sign-in. */
export const deletionSchema = (asksForCode: boolean) =>
  object({
    password: string().required("Please enter your password"),
    code: asksForCode
      ? string().trim().required("Please enter the code from your app, or a recovery code")
      : string(),
  });
