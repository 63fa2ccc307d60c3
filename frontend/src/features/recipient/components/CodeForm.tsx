import type { FormikErrors } from "formik";
import { useState } from "react";
import { toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { Recipient, Verification } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { useAppDispatch } from "@/store/hooks";
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
import { refreshVisit } from "../visit";

const validate = ({ code }: { code: string }): FormikErrors<{ code: string }> =>
  /^\d{6}$/.test(codeDigits(code)) ? {} : { code: messages.codeMalformed };

interface CodeFormProps {
  token: string;
  recipient: Recipient;
  verification: Verification;
  /** Time at which the server sent `verification`, by the local clock. */
  receivedAt: number;
}

/** Form for the emailed code, which can also request another one. */
export function CodeForm({ token, recipient, verification, receivedAt }: CodeFormProps) {
  const dispatch = useAppDispatch();
  const [failure, setFailure] = useState<string | null>(null);
  const [sent, setSent] = useState(false);

  const form = useForm({
    initialValues: { code: "" },
    validate,
    validateOnBlur: false,
    onSubmit: async ({ code }, { setErrors }) => {
      setFailure(null);
      setSent(false);
      const { error } = await dispatch(verify(token, recipient.id, codeDigits(code)));
      if (error?.field === "code") setErrors({ code: error.detail ?? messages.verifyFailed });
      else if (error && !changesStage(error)) {
        return setFailure(error.detail ?? messages.verifyFailed);
      }
      // The agreement is next.
      import("../AgreementPage").catch(() => undefined);
      void loadTextFont();
      await dispatch(refreshVisit(token));
    },
  });

  const resendCode = async () => {
    setFailure(null);
    setSent(false);
    const call = api.endpoints.sendCode.initiate({ id: recipient.id }, { track: false });
    const { error } = toResult(await dispatch(call));
    if (error && !changesStage(error)) return setFailure(error.detail ?? messages.sendFailed);
    form.resetForm();
    setSent(!error);
    await dispatch(refreshVisit(token));
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
        <ResendCode resendIn={verification.resendIn} receivedAt={receivedAt} onClick={resendCode} />
        <p role="status" className="text-muted text-sm">
          {sent &&
            `We have sent a new code to ${recipient.email}. The previous one no longer works.`}
        </p>
      </div>
    </Form>
  );
}

/**
 * Whether a refusal means that this screen is outdated: the share is invalid, or the address was
 * confirmed in another tab.
 */
const changesStage = ({ status }: ApiError) => status === 404 || status === 409;

interface ResendCodeProps {
  /** Cooldown in seconds, from when the answer was received. */
  resendIn: number;
  receivedAt: number;
  onClick: () => Promise<void>;
}

function ResendCode({ resendIn, receivedAt, onClick }: ResendCodeProps) {
  const now = useNow(1000);
  const [busy, setBusy] = useState(false);
  const left = Math.ceil(resendIn - Math.max(0, now - receivedAt) / 1000);

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
