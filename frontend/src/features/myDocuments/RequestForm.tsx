import { useState } from "react";
import { myDocumentsClient } from "@/api/myDocumentsClient";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "./messages";

const validate = lazyValidation(async () => (await import("./schema")).addressSchema);

interface RequestFormProps {
  initialEmail: string;
  onSent: (email: string) => void;
}

/** Form that requests the email with the link. */
export function RequestForm({ initialEmail, onSent }: RequestFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: initialEmail },
    validate,
    onSubmit: async (values) => {
      setFailure(null);
      const email = values.email.trim();
      const { error } = await myDocumentsClient.request(email);
      if (!error) onSent(email);
      else setFailure(error.status === 0 ? messages.network : (error.detail ?? messages.failed));
    },
  });
  return (
    <Form form={form} className="mt-8 flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        {...formikField(form, "email")}
      />
      <Button type="submit" busy={form.isSubmitting} className="w-full">
        {messages.ask}
      </Button>
    </Form>
  );
}
