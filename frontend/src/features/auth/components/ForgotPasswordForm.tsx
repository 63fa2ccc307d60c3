import { useState } from "react";
import { publicClient } from "@/api/publicClient";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "../messages";

const validate = lazyValidation(async () => (await import("../schema")).forgotPasswordSchema);

interface ForgotPasswordFormProps {
  initialEmail: string;
  onSent: (email: string) => void;
}

/** Form that requests the reset email. */
export function ForgotPasswordForm({ initialEmail, onSent }: ForgotPasswordFormProps) {
  const dispatch = useAppDispatch();
  const [failure, setFailure] = useState<string | null>(null);

  const form = useForm({
    initialValues: { email: initialEmail },
    validate,
    onSubmit: async (values) => {
      setFailure(null);
      const email = values.email.trim();
      const { error } = await publicClient.forgotPassword({ email });
      if (error) {
        const text =
          error.status === 0 ? messages.network : (error.detail ?? messages.resetSendFailed);
        setFailure(text);
        dispatch(errorToast(text));
      } else {
        dispatch(successToast(messages.resetSent));
        onSent(email);
      }
    },
  });

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        {...formikField(form, "email")}
      />
      <Button type="submit" busy={form.isSubmitting} className="w-full">
        Send Reset Link
      </Button>
    </Form>
  );
}
