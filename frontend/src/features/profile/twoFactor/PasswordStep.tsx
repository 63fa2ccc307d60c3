import { useState } from "react";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { focusOnMount } from "@/ui/focusOnMount";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { useForm } from "@/ui/form/useForm";
import { failureOf } from "./failure";

const empty = { currentPassword: "" };

const validate = lazyValidation<typeof empty>(
  async () => (await import("../schema")).currentPasswordSchema,
);

interface PasswordStepProps {
  submit: string;
  hint?: string;
  variant: "primary" | "danger";
  /** Resolves to the failure, if any; otherwise the step is complete. */
  onPassword: (currentPassword: string) => Promise<unknown>;
  onCancel: () => void;
}

/**
 * Asks for the password again: an open session alone must not change how the account is protected.
 */
export function PasswordStep({ submit, hint, variant, onPassword, onCancel }: PasswordStepProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: empty,
    validate,
    validateOnBlur: false,
    onSubmit: async ({ currentPassword }, { setErrors }) => {
      setFailure(null);
      const error = await onPassword(currentPassword);
      if (!error) return;
      const { field, text } = failureOf(error);
      if (field === "currentPassword") setErrors({ currentPassword: text });
      else setFailure(text);
    },
  });
  return (
    <Form form={form} className="mt-6 flex max-w-md flex-col gap-5 border-line border-t pt-6">
      {failure && <Alert>{failure}</Alert>}
      <PasswordField
        label="Your password"
        hint={hint}
        autoComplete="current-password"
        // The button that had focus has just opened this.
        ref={focusOnMount}
        {...formikField(form, "currentPassword")}
      />
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button type="submit" variant={variant} busy={form.isSubmitting}>
          {submit}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
