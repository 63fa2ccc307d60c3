import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type ApiError, mayHaveArrived } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { useForm } from "@/ui/form/useForm";
import { useIsMounted } from "@/ui/useIsMounted";
import { messages } from "../messages";
import { unprovenIdeas } from "../unprovenIdeas";

const validate = lazyValidation(async () => (await import("../schema")).resetPasswordSchema);

interface ResetPasswordFormProps {
  token: string;
  /** Called when the token is unknown or no longer valid. */
  onInvalidToken: () => void;
}

export function ResetPasswordForm({ token, onInvalidToken }: ResetPasswordFormProps) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const [failure, setFailure] = useState<string | null>(null);
  // A try without an answer may have used the link up.
  const isUnanswered = useRef(false);
  const [isTwoFactorRemovable, setTwoFactorRemovable] = useState(false);
  const [removeTwoFactor, setRemoveTwoFactor] = useState(false);

  useEffect(() => {
    let isShown = true;
    // Without an answer there is no offer; the reset itself says what is wrong.
    publicClient.lookAtReset({ token }).then(({ data }) => {
      if (isShown && data) setTwoFactorRemovable(data.twoFactorRemovable);
    });
    return () => {
      isShown = false;
    };
  }, [token]);

  const form = useForm({
    initialValues: { newPassword: "", confirmPassword: "" },
    validate,
    onSubmit: async ({ newPassword }, { setErrors }) => {
      setFailure(null);
      const { data, error } = await publicClient.resetPassword({
        token,
        newPassword,
        ...(isTwoFactorRemovable && { removeTwoFactor }),
      });
      if (!error) {
        dispatch(successToast(messages.passwordReset));
        const state = data.unprovenIdeas ? unprovenIdeas : null;
        if (isMounted()) await navigate(paths.login, { replace: true, state });
        return;
      }
      const text = reason(error);
      if (error.field === "newPassword") setErrors({ newPassword: text });
      else if (error.status === 400 && isUnanswered.current) {
        setFailure(messages.passwordResetUnanswered);
      } else if (error.status === 400) onInvalidToken();
      else setFailure(text);
      isUnanswered.current ||= mayHaveArrived(error);
    },
  });

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <PasswordField
        label="New Password"
        autoComplete="new-password"
        {...formikField(form, "newPassword")}
      />
      <PasswordField
        label="Confirm New Password"
        autoComplete="new-password"
        {...formikField(form, "confirmPassword")}
      />
      {isTwoFactorRemovable && (
        <label className="flex min-h-11 cursor-pointer items-start gap-3 text-sm">
          <input
            type="checkbox"
            checked={removeTwoFactor}
            onChange={(event) => setRemoveTwoFactor(event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          <span>
            Turn off two-step sign-in
            <span className="block text-muted">
              It was turned on soon after this address was confirmed. Choose this if that was not
              you, or if you have lost your app and your recovery codes.
            </span>
          </span>
        </label>
      )}
      <Button type="submit" busy={form.isSubmitting} className="w-full">
        Reset Password
      </Button>
    </Form>
  );
}

function reason({ status, detail }: ApiError): string {
  if (status === 0) return messages.network;
  return detail ?? messages.passwordResetFailed;
}
