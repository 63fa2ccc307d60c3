import { type FormikErrors, type FormikValues, validateYupSchema, yupToFormErrors } from "formik";
import type { AnySchema, Lazy } from "yup";

/**
 * Validates with a Yup schema that is loaded at the first validation: Yup is as large as many a
 * screen. If it cannot be loaded the form passes, since the server validates as well and the submit
 * then reports the failed connection.
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
