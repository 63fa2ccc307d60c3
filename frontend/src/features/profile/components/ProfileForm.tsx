import { useState } from "react";
import { toApiError } from "@/api/baseApi";
import type { User } from "@/api/generated";
import { isExplained } from "@/api/http";
import { useUpdateProfileMutation } from "@/api/profile";
import { rememberUser } from "@/store/currentUserSlice";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { useUnsavedWork } from "@/store/unsavedWork";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "../messages";

const validate = lazyValidation(async () => (await import("../schema")).profileSchema);

/** Form with the name, and the email, which cannot be changed. */
export function ProfileForm({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const [updateProfile] = useUpdateProfileMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const form = useForm({
    initialValues: { name: user.name },
    validate,
    onSubmit: async ({ name }, { resetForm, setErrors }) => {
      setFailure(null);
      const { data, error } = await updateProfile({ profileBody: { name: name.trim() } });
      if (data) {
        rememberUser({ dispatch }, data);
        resetForm({ values: { name: data.name } });
        dispatch(successToast(messages.updated));
        return;
      }
      const refusal = toApiError(error);
      if (refusal.field === "name" && refusal.detail) setErrors({ name: refusal.detail });
      else setFailure(refusal.detail ?? messages.updateFailed);
      if (!isExplained(refusal)) dispatch(errorToast(messages.updateFailed));
    },
  });

  useUnsavedWork(form.dirty);

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField label="Name" autoComplete="name" {...formikField(form, "name")} />
      <TextField
        label="Email"
        type="email"
        value={user.email}
        readOnly
        hint={messages.emailNote}
        autoComplete="email"
      />
      <Button type="submit" busy={form.isSubmitting} className="self-stretch sm:self-start">
        Save Changes
      </Button>
    </Form>
  );
}
