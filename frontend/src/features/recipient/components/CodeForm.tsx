import type { FormikErrors } from "formik";
import { useState } from "react";
import type { Recipient, Verification } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { useAppDispatch } from "@/store/hooks";
import { recipientStored } from "@/store/recipientSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { codeDigits } from "@/ui/codeDigits";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { loadTextFont } from "@/ui/loadTextFont";
import { messages } from "../messages";
import { verify } from "../steps";
import { useNow } from "../useNow";
import { lookupFinished } from "../visit";

const validate = ({ code }: { code: string }): FormikErrors<{ code: string }> =>
  /^\d{6}$/.test(codeDigits(code)) ? {} : { code: messages.codeMalformed };

interface CodeFormProps {
  token: string;
  recipient: Recipient;
  verification: Verification;
}

/** Form for the emailed code, which can also request another one. */
export function CodeForm({ token, recipient, verification }: CodeFormProps) {
  const dispatch = useAppDispatch();
  const [failure, setFailure] = useState<string | null>(null);
  const [sent, setSent] = useState(false);

  /**
   * Reloads the state of the visit: the address may have been confirmed in another tab, or the link
   * revoked.
   */
  const reloadVisit = async () => {
    dispatch(lookupFinished(token, await publicClient.openShare(token)));
  };

  const form = useForm({
    initialValues: { code: "" },
    validate,
    validateOnBlur: false,
    onSubmit: async ({ code }, { setErrors }) => {
      setFailure(null);
      setSent(false);
      const { data, error } = await verify(token, recipient.id, codeDigits(code));
      if (data) dispatch(recipientStored(data));
      // The agreement is next.
      else if (error.field === "code") setErrors({ code: error.detail ?? messages.verifyFailed });
      else if (!changesStage(error)) return setFailure(error.detail ?? messages.verifyFailed);
      import("../AgreementPage").catch(() => undefined);
      void loadTextFont();
      await reloadVisit();
    },
  });

  const resendCode = async () => {
    setFailure(null);
    setSent(false);
    const { error } = await publicClient.sendCode(recipient.id);
    if (error && !changesStage(error)) return setFailure(error.detail ?? messages.sendFailed);
    form.resetForm();
    setSent(!error);
    await reloadVisit();
  };

  const isSpent = verification.triesLeft === 0 || verification.expiresIn === 0;
  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      {isSpent && !failure && !form.errors.code && <Alert>{messages.codeSpent}</Alert>}
      <TextField
        label="Code"
        hint="6 digits. It works for 10 minutes."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        className="font-mono text-lg tracking-[0.3em]"
        {...formikField(form, "code")}
      />
      <Button type="submit" className="w-full" busy={form.isSubmitting}>
        {form.isSubmitting ? "Checking..." : "Confirm"}
      </Button>
      <div className="flex flex-col gap-1">
        <ResendCode pause={verification} onClick={resendCode} />
        <p role="status" className="text-muted text-sm">
          {sent &&
            `We have sent a new code to ${recipient.email}. The previous one no longer works.`}
        </p>
      </div>
    </Form>
  );
}

/**
 * Whether a refusal means that this screen is outdated: the link is invalid, or nothing is left to
 * confirm.
 */
const changesStage = ({ status }: ApiError) => status === 404 || status === 409;

interface ResendCodeProps {
  /** Cooldown, counted from when the response arrived. */
  pause: Verification;
  onClick: () => Promise<void>;
}

function ResendCode({ pause, onClick }: ResendCodeProps) {
  const now = useNow(1000);
  const [busy, setBusy] = useState(false);
  const [counted, setCounted] = useState({ pause, from: now });
  if (counted.pause !== pause) setCounted({ pause, from: Date.now() });
  const left = Math.ceil(pause.resendIn - Math.max(0, now - counted.from) / 1000);

  const send = async () => {
    setBusy(true);
    await onClick();
    setBusy(false);
  };
  return (
    <Button
      variant="ghost"
      size="sm"
      className="-ml-3 self-start"
      busy={busy}
      disabled={left > 0}
      onClick={send}
    >
      {left > 0 ? `Send a new code in ${left} s` : "Send a new code"}
    </Button>
  );
}
