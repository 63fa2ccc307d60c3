import { useEffect, useRef, useState } from "react";
import { isExplained } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, toastShown } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages } from "../messages";
import { waitlistSchema } from "../schema";

const validate = lazyValidation(async () => waitlistSchema);

/** The waitlist form. A failure keeps the input. */
export function WaitlistForm({ onJoined }: { onJoined: () => void }) {
  const dispatch = useAppDispatch();
  const [failure, setFailure] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);

  // The button that opened this is gone, and focus with it.
  useEffect(() => first.current?.focus(), []);

  const form = useForm({
    initialValues: { name: "", email: "", profession: "" },
    validate,
    onSubmit: async ({ name, email, profession }) => {
      setFailure(null);
      const { error } = await publicClient.joinWaitlist({
        name: name.trim(),
        email: email.trim(),
        profession: profession.trim(),
      });
      if (error) {
        setFailure(error.detail ?? messages.failed);
        if (!isExplained(error)) dispatch(errorToast(messages.failed));
      } else {
        onJoined();
        dispatch(toastShown(messages.joined));
      }
    },
  });

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField ref={first} label="Name" autoComplete="name" {...formikField(form, "name")} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        {...formikField(form, "email")}
      />
      <TextField
        label="Profession"
        autoComplete="organization-title"
        {...formikField(form, "profession")}
      />
      <Button type="submit" busy={form.isSubmitting} className="w-full">
        Join Waitlist
      </Button>
    </Form>
  );
}
