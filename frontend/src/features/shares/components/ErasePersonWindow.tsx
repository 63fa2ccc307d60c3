import { useId, useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useErasePersonMutation } from "@/api/enhanced";
import type { ActivityRecipient } from "@/api/generated";
import { reportUrl } from "@/api/report";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { PasswordField } from "@/ui/form/PasswordField";
import { useForm } from "@/ui/form/useForm";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages as texts } from "../erasureMessages";

const initialValues = { password: "", keeps: true };
type Values = typeof initialValues;

const validate = ({ password }: Values) => (password ? {} : { password: texts.passwordMissing });

interface ErasePersonWindowProps {
  ideaId: number;
  person: ActivityRecipient;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Says what an erasure removes and what it cannot, offers what can be saved before, and erases the
 * person.
 */
export function ErasePersonWindow({ ideaId, person, open, onOpenChange }: ErasePersonWindowProps) {
  const dispatch = useAppDispatch();
  const id = useId();
  const [failure, setFailure] = useState<string | null>(null);
  const [erasePerson] = useErasePersonMutation();
  const form = useForm({
    initialValues,
    validate,
    validateOnBlur: false,
    onSubmit: async ({ password, keeps }, { setErrors }) => {
      setFailure(null);
      const erasureBody = { password, keepAgreements: keeps };
      const { error } = await erasePerson({ id: person.id, erasureBody });
      if (!error) {
        onOpenChange(false);
        dispatch(successToast(texts.done));
        return;
      }
      const { field, detail } = toApiError(error);
      if (field === "password") setErrors({ password: detail ?? texts.failed });
      else setFailure(detail ?? texts.failed);
    },
  });
  const { isSubmitting, values } = form;
  // Whoever opens it again has to know the password again.
  const change = (isOpen: boolean) => {
    if (!isOpen) {
      form.resetForm();
      setFailure(null);
    }
    onOpenChange(isOpen);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={texts.title(person.name)}
      description={texts.what(person.email)}
      busy={isSubmitting}
    >
      <dl className="mt-4 flex flex-col gap-3 text-sm">
        <div>
          <dt className="font-semibold">{texts.stays}</dt>
          <dd className="text-muted">{texts.staysText}</dd>
        </div>
        <div>
          <dt className="font-semibold">{texts.cannot}</dt>
          <dd className="text-muted">{texts.cannotText}</dd>
        </div>
        <div>
          <dt className="font-semibold">{texts.before}</dt>
          <dd className="text-muted">
            {texts.beforeText}{" "}
            <a href={reportUrl(ideaId, "pdf")} download className={textLinkStyles}>
              {texts.report}
            </a>
            {", "}
            <a href={`/api/ideas/${ideaId}/evidence.zip`} download className={textLinkStyles}>
              {texts.bundle}
            </a>
          </dd>
        </div>
      </dl>
      <Form form={form} className="mt-5 flex flex-col gap-5 border-line border-t pt-5">
        {failure && <Alert>{failure}</Alert>}
        <label htmlFor={id} className="flex min-h-11 cursor-pointer items-start gap-3 text-sm">
          <input
            id={id}
            type="checkbox"
            checked={values.keeps}
            onChange={(event) => form.setFieldValue("keeps", event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          <span>
            {texts.keep}
            <span className="block text-muted">{texts.keepHint}</span>
          </span>
        </label>
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          {...formikField(form, "password")}
        />
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={isSubmitting} onClick={() => change(false)}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" busy={isSubmitting}>
            {texts.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
