import type { FormikContextType, FormikValues } from "formik";

/** The part of Formik's form state that our form components read. */
export type FormState<Values extends FormikValues> = Pick<
  FormikContextType<Values>,
  "touched" | "errors" | "getFieldProps" | "submitForm" | "submitCount" | "isSubmitting" | "isValid"
>;

/**
 * Returns value, handlers and the visible error of one text input; errors appear on blur and on
 * submit.
 */
export function formikField<Values extends FormikValues>(
  form: FormState<Values>,
  name: keyof Values & string,
) {
  const error = form.touched[name] ? form.errors[name] : undefined;
  return {
    ...form.getFieldProps<string>(name),
    error: typeof error === "string" ? error : undefined,
  };
}
