import type { FormikContextType, FormikValues } from "formik";
import { type RefObject, useEffect, useRef } from "react";

type Form<Values extends FormikValues> = Pick<
  FormikContextType<Values>,
  "touched" | "errors" | "getFieldProps" | "submitCount" | "isSubmitting" | "isValid"
>;

/** Value, handlers and the error to show for one text input; errors appear on blur and on submit. */
export function formikField<Values extends FormikValues>(
  form: Form<Values>,
  name: keyof Values & string,
) {
  const error = form.touched[name] ? form.errors[name] : undefined;
  return {
    ...form.getFieldProps<string>(name),
    error: typeof error === "string" ? error : undefined,
  };
}

/** Moves focus to the first invalid control after a submit that validation refused. */
export function useFocusFirstInvalid<Values extends FormikValues>(
  form: Form<Values>,
): RefObject<HTMLFormElement | null> {
  const ref = useRef<HTMLFormElement>(null);
  const handled = useRef(0);
  const { submitCount, isSubmitting, isValid } = form;
  useEffect(() => {
    if (submitCount === handled.current || isSubmitting) return;
    handled.current = submitCount;
    if (!isValid) ref.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [submitCount, isSubmitting, isValid]);
  return ref;
}
