import { useState } from "react";
import { type ApiError, isExplained } from "@/api/http";
import { cookieProblem, cookiesBlocked } from "@/browser/cookies";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { loadTextFont } from "@/ui/loadTextFont";
import { Spinner } from "@/ui/Spinner";
import { messages } from "../messages";
import { pause, VERIFICATION_DELAY_MS } from "../pause";
import { register } from "../steps";
import { refreshVisit } from "../visit";

const validate = lazyValidation(async () => (await import("../schema")).collectSchema);

const empty = { name: "", email: "", phone: "" };

/**
 * Form for the recipient's details. It stays mounted but hidden while it is sent, so that its input
 * is kept after a failure.
 */
export function CollectForm({ token }: { token: string }) {
  const dispatch = useAppDispatch();
  const [failure, setFailure] = useState(cookieProblem);

  /**
   * Follows a refusal: the share may have ended, or another tab may have taken its last view. Only
   * the share itself says which. If it still asks for details, they were not recorded.
   */
  const reloadVisit = async () => {
    const { data } = await dispatch(refreshVisit(token));
    if (data?.stage !== "collect") return;
    setFailure(messages.collectFailed);
    dispatch(errorToast(messages.collectFailed));
  };

  const form = useForm({
    initialValues: empty,
    validate,
    onSubmit: async ({ name, email, phone }, { setErrors }) => {
      setFailure(null);
      const details = { name: name.trim(), email: email.trim(), phone: phone.trim() || null };
      const { error } = await dispatch(register(token, { ...details, accessToken: token }));
      if (error) {
        if (error.status === 404) return reloadVisit();
        const field = rejectedField(error);
        const text = reason(error);
        if (field) setErrors({ [field]: text });
        else setFailure(text);
        // Shows one error at a time: either the validation's or the failed request's.
        if (text === messages.collectFailed) dispatch(errorToast(text));
        return;
      }
      import("../AgreementPage").catch(() => undefined);
      void loadTextFont();
      await pause(VERIFICATION_DELAY_MS);
      // A look-up before the agreement never counts as a view.
      const { data } = await dispatch(refreshVisit(token));
      // Without the cookie, the link would ask for the details again and again.
      if (data?.stage === "collect") setFailure(cookiesBlocked);
    },
  });

  return (
    <>
      {form.isSubmitting && (
        <p
          role="status"
          className="flex min-h-64 flex-col items-center justify-center gap-4 text-lg text-muted"
        >
          <Spinner className="size-8 text-seal" />
          Verifying your details...
        </p>
      )}
      <Form
        form={form}
        hidden={form.isSubmitting}
        className="flex flex-col gap-5 [&[hidden]]:hidden"
      >
        {failure && <Alert>{failure}</Alert>}
        <TextField label="Full name" autoComplete="name" {...formikField(form, "name")} />
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...formikField(form, "email")}
        />
        <TextField
          label="Phone (optional)"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...formikField(form, "phone")}
        />
        <Button type="submit" disabled={failure === cookiesBlocked} className="w-full">
          Continue to the agreement
        </Button>
      </Form>
    </>
  );
}

function reason(error: ApiError): string {
  return (isExplained(error) && error.detail) || messages.collectFailed;
}

/**
 * Returns the field with the error: a link sent by email admits only the address it was sent to.
 */
function rejectedField({ status, field }: ApiError): keyof typeof empty | null {
  if (status === 403) return "email";
  return field === "name" || field === "email" || field === "phone" ? field : null;
}
