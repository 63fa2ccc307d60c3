import { useState } from "react";
import { toApiError } from "@/api/baseApi";
import type { RecoveryCodes, TwoFactorSetup } from "@/api/generated";
import { isUnanswered } from "@/api/http";
import { useConfirmTwoFactorMutation } from "@/api/profile";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { codeDigits } from "@/ui/codeDigits";
import { focusOnMount } from "@/ui/focusOnMount";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { failureOf } from "./failure";
import { messages } from "./messages";
import { QrCode } from "./QrCode";

const empty = { code: "" };

const validate = lazyValidation<typeof empty>(
  async () => (await import("../schema")).appCodeSchema,
);

interface SetupStepProps {
  setup: TwoFactorSetup;
  onConfirmed: (codes: RecoveryCodes["recoveryCodes"]) => void;
  onCancel: () => void;
}

/** Shows the secret for the app, and asks for a code to confirm it. */
export function SetupStep({ setup, onConfirmed, onCancel }: SetupStepProps) {
  const dispatch = useAppDispatch();
  const [confirmTwoFactor] = useConfirmTwoFactorMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: empty,
    validate,
    validateOnBlur: false,
    onSubmit: async ({ code }, { setErrors }) => {
      setFailure(null);
      const { data, error } = await confirmTwoFactor({
        twoFactorCodeBody: { code: codeDigits(code) },
      });
      if (data) return onConfirmed(data.recoveryCodes);
      const { field, text } = failureOf(error);
      if (field === "code") setErrors({ code: text });
      else setFailure(isUnanswered(toApiError(error)) ? messages.turnOnUnanswered : text);
    },
  });
  return (
    <Form form={form} className="mt-6 flex flex-col gap-5 border-line border-t pt-6">
      <div className="flex flex-col gap-5 sm:flex-row sm:items-center sm:gap-8">
        <QrCode rows={setup.qr} label="QR code with the secret for your app" />
        <div className="flex min-w-0 flex-col items-start gap-3">
          <p ref={focusOnMount} tabIndex={-1} className="outline-none">
            Scan this code with your authenticator app. If you cannot scan it, enter this key in the
            app and choose “time-based”:
          </p>
          <p
            translate="no"
            className="max-w-full break-words rounded-md bg-sunken px-3 py-2 font-mono text-sm"
          >
            {setup.secret.match(/.{1,4}/g)?.join(" ")}
          </p>
          <CopyButton
            text={setup.secret}
            label="Copy secret"
            onFailed={() => dispatch(errorToast(messages.copyFailed))}
          />
        </div>
      </div>
      {failure && <Alert>{failure}</Alert>}
      <div className="max-w-md">
        <TextField
          label="Code"
          hint="The 6 digits that your app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          className="font-mono text-lg tracking-[0.3em]"
          {...formikField(form, "code")}
        />
      </div>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button type="submit" busy={form.isSubmitting}>
          Turn on
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
