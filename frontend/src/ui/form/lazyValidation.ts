import { type FormikErrors, type FormikValues, validateYupSchema, yupToFormErrors } from "formik";
import type { AnySchema, Lazy } from "yup";

/**
 * A form's check over a Yup schema that is fetched at the first check: Yup is as large as
 * many a screen. If it cannot be fetched the form is let through, since the server checks as well
 * and the submit then tells what is wrong with the connection.
 */
export function lazyValidation<Values extends FormikValues>(
  load: () => Promise<AnySchema | Lazy<unknown>>,
) {
  return async (values: Values): Promise<FormikErrors<Values>> => {
    const schema = await load().catch(() => null);
    if (!schema) return {};
    try {
      await validateYupSchema(values, schema);
      return {};
    } catch (problem) {
      return yupToFormErrors<Values>(problem);
    }
  };
}
