import type { FormikValues } from "formik";
import { type ComponentProps, type FormEvent, useEffect, useRef } from "react";
import type { FormState } from "./formik";

interface FormProps<Values extends FormikValues> extends Omit<ComponentProps<"form">, "form"> {
  form: FormState<Values>;
}

/**
 * A form that submits once at a time and, when validation fails, focuses the first invalid control.
 * The browser's own validation messages are off.
 */
export function Form<Values extends FormikValues>({ form, children, ...rest }: FormProps<Values>) {
  const ref = useRef<HTMLFormElement>(null);
  const underWay = useRef(false);
  const handledSubmits = useRef(0);
  const { submitCount, isSubmitting, isValid, submitForm } = form;

  useEffect(() => {
    if (submitCount === handledSubmits.current || isSubmitting) return;
    handledSubmits.current = submitCount;
    if (!isValid) ref.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [submitCount, isSubmitting, isValid]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    underWay.current = true;
    try {
      await submitForm();
    } finally {
      underWay.current = false;
    }
  };

  return (
    <form {...rest} ref={ref} noValidate onSubmit={submit}>
      {children}
    </form>
  );
}
