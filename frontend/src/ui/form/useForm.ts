import { type FormikConfig, type FormikErrors, type FormikValues, useFormik } from "formik";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useStableWhilePressed } from "../press";

type Check<Values> = (values: Values) => FormikErrors<Values> | Promise<FormikErrors<Values>>;

interface FormOptions<Values extends FormikValues>
  extends Pick<FormikConfig<Values>, "initialValues" | "onSubmit" | "validateOnBlur"> {
  validate: Check<Values>;
}

/**
 * Formik with its own validation. Formik validates the values of its last render and shows the
 * result that arrives last: when a browser fills in several fields at once, that may be one for
 * outdated values. Here only the validation of the newest values counts, and its errors are held
 * back while a pointer is pressed.
 */
export function useForm<Values extends FormikValues>({
  validate,
  validateOnBlur = true,
  ...config
}: FormOptions<Values>) {
  const form = useFormik<Values>({
    ...config,
    validate,
    validateOnChange: false,
    validateOnBlur: false,
  });
  const { values, touched, setErrors, dirty } = form;

  const check = useRef<Check<Values>>(validate);
  useLayoutEffect(() => {
    check.current = validate;
  });

  const isUntouched = !dirty && !(validateOnBlur && Object.keys(touched).length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a field asks for a check, too.
  useEffect(() => {
    if (isUntouched) return;
    let isNewest = true;
    void Promise.resolve(check.current(values)).then((errors) => {
      if (isNewest) setErrors(errors);
    });
    return () => {
      isNewest = false;
    };
  }, [values, touched, isUntouched, setErrors]);

  const { errors, isValid, isSubmitting, submitCount, status } = form;
  const shown = useStableWhilePressed({
    touched,
    errors,
    isValid,
    isSubmitting,
    submitCount,
    status,
  });
  return { ...form, ...shown };
}
