import { useLayoutEffect, useState } from "react";
import { useSignedOut } from "@/account/useSignedOut";
import { toApiError } from "@/api/baseApi";
import { isUnanswered } from "@/api/http";
import { useDeleteAccountMutation, useGetTwoFactorQuery } from "@/api/profile";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { signInCode } from "@/ui/codeDigits";
import { Dialog } from "@/ui/Dialog";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "./messages";

const texts = messages.deletion;
const empty = { password: "", code: "" };

const validators = {
  withCode: lazyValidation<typeof empty>(async () =>
    (await import("./schema")).deletionSchema(true),
  ),
  withoutCode: lazyValidation<typeof empty>(async () =>
    (await import("./schema")).deletionSchema(false),
  ),
};

const isField = (name: string | null): name is keyof typeof empty => name !== null && name in empty;

interface DeleteAccountWindowProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says what the deletion of the account means, and asks for the password. */
export function DeleteAccountWindow({ open, onOpenChange }: DeleteAccountWindowProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title}
      staysOnOutsideClick
      busy={isDeleting}
    >
      <dl className="mt-4 flex flex-col gap-3 text-sm">
        <Point name={texts.goes} text={texts.goesText} />
        <Point name={texts.stays} text={texts.staysText} />
        <Point name={texts.others} text={texts.othersText} />
      </dl>
      <DeletionForm onSubmitting={setDeleting} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Point({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="text-muted">{text}</dd>
    </div>
  );
}

interface DeletionFormProps {
  onSubmitting: (isSubmitting: boolean) => void;
  onCancel: () => void;
}

function DeletionForm({ onSubmitting, onCancel }: DeletionFormProps) {
  const { data: twoFactor } = useGetTwoFactorQuery();
  const [deleteAccount] = useDeleteAccountMutation();
  const [failure, setFailure] = useState<string | null>(null);
  // The server may ask for a code that this page did not know of.
  const [isAskedForCode, setAskedForCode] = useState(false);
  const asksForCode = isAskedForCode || twoFactor?.enabled === true;
  const signedOut = useSignedOut();
  const form = useForm({
    initialValues: empty,
    validate: asksForCode ? validators.withCode : validators.withoutCode,
    validateOnBlur: false,
    onSubmit: async ({ password, code }, { setErrors }) => {
      setFailure(null);
      const { error } = await deleteAccount({
        accountDeletionBody: { password, code: asksForCode ? signInCode(code) : null },
      });
      if (!error) return signedOut(texts.deleted);
      const failed = toApiError(error);
      const { field, detail } = failed;
      const text = detail ?? (isUnanswered(failed) ? texts.unanswered : texts.failed);
      if (field === "code") setAskedForCode(true);
      if (isField(field)) setErrors({ [field]: text });
      else setFailure(text);
    },
  });
  const { isSubmitting } = form;
  useLayoutEffect(() => onSubmitting(isSubmitting), [onSubmitting, isSubmitting]);
  return (
    <Form form={form} className="mt-5 flex flex-col gap-5 border-line border-t pt-5">
      {failure && <Alert>{failure}</Alert>}
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        {...formikField(form, "password")}
      />
      {asksForCode && (
        <TextField
          label={texts.code}
          hint={texts.codeHint}
          autoComplete="one-time-code"
          {...formikField(form, "code")}
        />
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={isSubmitting} onClick={onCancel}>
          {texts.keep}
        </Button>
        <Button type="submit" variant="danger" busy={isSubmitting}>
          {texts.confirm}
        </Button>
      </div>
    </Form>
  );
}
