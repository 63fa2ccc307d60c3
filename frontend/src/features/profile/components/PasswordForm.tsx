import { useState } from "react";
import { toApiError } from "@/api/baseApi";
import { isUnanswered } from "@/api/http";
import { useChangePasswordMutation } from "@/api/profile";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "../messages";

const empty = { currentPassword: "", newPassword: "", confirmPassword: "" };

const validate = lazyValidation<typeof empty>(
  async () => (await import("../schema")).passwordSchema,
);

const isField = (name: string | null): name is keyof typeof empty => name !== null && name in empty;

/** The form that changes the password. Closes on success. */
export function PasswordForm({ onClose }: { onClose: () => void }) {
  const dispatch = useAppDispatch();
  const [changePassword] = useChangePasswordMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const form = useForm({
    initialValues: empty,
    validate,
    onSubmit: async (values, { setErrors }) => {
      setFailure(null);
      const { error } = await changePassword({ changePasswordBody: values });
      if (!error) {
        onClose();
        dispatch(successToast(messages.passwordChanged));
        return;
      }
      const failed = toApiError(error);
      const { field, detail } = failed;
      const unexplained = isUnanswered(failed)
        ? messages.passwordUnanswered
        : messages.passwordFailed;
      const text = detail ?? unexplained;
      if (isField(field)) setErrors({ [field]: text });
      else setFailure(text);
      dispatch(errorToast(text));
    },
  });

  return (
    <Form form={form} className="flex max-w-md flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <PasswordField
        label="Current Password"
        autoComplete="current-password"
        {...formikField(form, "currentPassword")}
      />
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
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button type="submit" busy={form.isSubmitting}>
          Change Password
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
