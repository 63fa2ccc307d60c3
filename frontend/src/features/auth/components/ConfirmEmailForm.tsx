import { Link } from "react-router";
import type { ApiError } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { PasswordField } from "@/ui/form/PasswordField";
import { useForm } from "@/ui/form/useForm";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";

interface ConfirmEmailFormProps {
  token: string;
  email: string;
  /** Whether the account is not signed in here. */
  needsPassword: boolean;
  onConfirmed: () => void;
  onFailed: (error: ApiError) => void;
  /** Called when the session ended since the page looked at the link. */
  onSignedOut: () => void;
}

const SIGNED_OUT = 401;

/** Confirms the address of an account, for its owner alone. */
export function ConfirmEmailForm({
  token,
  email,
  needsPassword,
  onConfirmed,
  onFailed,
  onSignedOut,
}: ConfirmEmailFormProps) {
  const form = useForm({
    initialValues: { password: "" },
    validateOnBlur: false,
    validate: ({ password }) =>
      needsPassword && !password ? { password: messages.confirmationPassword } : {},
    onSubmit: async ({ password }, { setErrors }) => {
      const { error } = await publicClient.confirmEmail({
        token,
        ...(needsPassword && { password }),
      });
      if (!error) return onConfirmed();
      if (error.field === "password" && needsPassword) {
        return setErrors({ password: error.detail ?? messages.confirmationPassword });
      }
      if (error.status === SIGNED_OUT || error.field === "password") return onSignedOut();
      onFailed(error);
    },
  });
  return (
    <Form form={form} className="mt-4 flex flex-col gap-5">
      <p className="text-muted">
        An account was created with the address{" "}
        <strong translate="no" className="break-words text-ink">
          {email}
        </strong>
        . If it is yours, please confirm it. If not, close this page: nothing happens then.
      </p>
      {needsPassword && (
        <PasswordField
          label="Password of this account"
          autoComplete="current-password"
          {...formikField(form, "password")}
        />
      )}
      <Button type="submit" busy={form.isSubmitting} className="w-full">
        Confirm this address
      </Button>
      {needsPassword && (
        <Link to={paths.forgotPassword} className={`${textLinkStyles} self-center text-sm`}>
          You do not know it? Choose a new one
        </Link>
      )}
    </Form>
  );
}
