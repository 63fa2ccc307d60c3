import { type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { limitsViews, shareTypes } from "@/sharing/shareTypes";
import { useUnsavedWork } from "@/store/unsavedWork";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { zoneAt } from "@/ui/dates";
import { Checkbox } from "@/ui/form/Checkbox";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { RadioCards } from "@/ui/form/RadioCards";
import { TextArea } from "@/ui/form/TextArea";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { viewWindow } from "@/ui/vault";
import { messages } from "../messages";
import {
  MESSAGE_MAX,
  newShareForm,
  type ShareFormValues,
  type ShareSettings,
  TEXT_MAX,
} from "../shareForm";
import { settingsLine, shareSentence } from "../shareSentence";
import { MoreSettings, SettingsGroup } from "./MoreSettings";
import { OptionFields } from "./OptionFields";

/** Why a link was not created, and the field with the error, if any. */
export interface ShareProblem {
  text: string;
  field: string | null;
}

interface NewShareFormProps {
  /** What the settings are at first. */
  start: ShareSettings;
  onSubmit: (values: ShareFormValues) => Promise<ShareProblem | null>;
}

const validate = lazyValidation(async () => (await import("../schema")).shareSchema);

export function NewShareForm({ start, onSubmit }: NewShareFormProps) {
  const sentence = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  const expiresAt = useRef<HTMLInputElement>(null);
  const maxViews = useRef<HTMLInputElement>(null);
  const [initialValues] = useState(() => newShareForm(start));
  const latest = useRef(initialValues);
  const form = useForm<ShareFormValues>({
    initialValues,
    // An incomplete date or number reads as empty, and no limit at all is not what was meant.
    validate: async (values) => ({
      ...(await validate(values)),
      ...(isUnreadable(expiresAt) && { expiresAt: messages.dateIncomplete }),
      ...(isUnreadable(maxViews) && { maxViews: messages.viewsNotNumber }),
    }),
    onSubmit: async (values, helpers) => {
      helpers.setStatus(null);
      const problem = await onSubmit(values);
      if (!problem) {
        // Text entered meanwhile is for the next link.
        if (latest.current !== values) return;
        // The next one starts with the settings of this one.
        helpers.resetForm({ values: newShareForm(values, values.shareType) });
      } else if (problem.field && showsErrors(values, problem.field)) {
        if (problem.field === "coverTitle") setUnfolded(true);
        helpers.setFieldError(problem.field, problem.text);
      } else helpers.setStatus(problem.text);
    },
  });
  const { shareType, name, expiresAt: end, maxViews: views } = form.values;
  const { recipientEmail, message, coverTitle } = form.values;
  useLayoutEffect(() => {
    latest.current = form.values;
  });
  const isRenamed = coverTitle !== form.initialValues.coverTitle;
  useUnsavedWork(isRenamed || `${name}${end}${views}${recipientEmail}${message}` !== "");

  return (
    <Form form={form} className="flex flex-col gap-5">
      <RadioCards
        legend="Share type"
        name="shareType"
        value={shareType}
        options={shareTypes}
        onChange={(value) => form.setFieldValue("shareType", value)}
      />
      {shareType === "time-dependent" && (
        <TextField
          label="Expiration Date"
          ref={expiresAt}
          type="datetime-local"
          hint={messages.expiryHint(zoneAt(end ? new Date(end) : new Date()))}
          {...formikField(form, "expiresAt")}
        />
      )}
      {limitsViews(shareType) && (
        <TextField
          label="Maximum Views"
          ref={maxViews}
          type="number"
          min={1}
          step={1}
          inputMode="numeric"
          placeholder={
            shareType === "one-time" ? "One view if left empty" : "Leave empty for unlimited views"
          }
          hint={shareType === "one-time" ? "How many people may open it, once each." : undefined}
          {...formikField(form, "maxViews")}
          value={form.values.maxViews}
        />
      )}
      {limitsViews(shareType) && (
        <p className="text-muted text-sm">{messages.viewLasts(viewWindow())}</p>
      )}
      {shareType === "email" && (
        <>
          <TextField
            label="Recipient Email"
            type="email"
            inputMode="email"
            hint="We email the link to this address. It opens only with a code that we send there too."
            {...formikField(form, "recipientEmail")}
          />
          <TextArea
            label="Message (optional)"
            rows={3}
            maxLength={MESSAGE_MAX}
            hint="Added to the invitation, without web or email addresses. We do not keep it."
            {...formikField(form, "message")}
          />
          <Checkbox
            label="Let the reader reply to me"
            hint="The invitation then shows the email address of your account."
            checked={form.values.replyToMe}
            onChange={(checked) => form.setFieldValue("replyToMe", checked)}
          />
        </>
      )}
      <TextField
        label="Link name (optional)"
        maxLength={TEXT_MAX.name}
        autoComplete="off"
        hint={messages.texts.name.hint}
        {...formikField(form, "name")}
      />
      <MoreSettings
        isOpen={isUnfolded}
        onToggle={() => setUnfolded(!isUnfolded)}
        line={settingsLine(form.values)}
      >
        <SettingsGroup legend={messages.groups.agree}>
          <TextField
            label="Cover title (optional)"
            maxLength={TEXT_MAX.coverTitle}
            autoComplete="off"
            hint={messages.texts.coverTitle.hint}
            {...formikField(form, "coverTitle")}
          />
        </SettingsGroup>
        <SettingsGroup legend={messages.groups.may}>
          <OptionFields
            options={form.values}
            onChange={(option, checked) => form.setFieldValue(option, checked)}
            showsHints
          />
        </SettingsGroup>
      </MoreSettings>
      {/* Where it is in sight: the form is longer than the screen of a phone. */}
      {form.status && <Alert>{form.status}</Alert>}
      <p id={sentence} className="wrap-anywhere text-muted text-sm">
        {shareSentence(form.values)}
      </p>
      <Button
        type="submit"
        busy={form.isSubmitting}
        aria-describedby={sentence}
        className="self-start max-sm:w-full"
      >
        {shareType === "email" ? "Send Email Invitation" : "Generate Share Link"}
      </Button>
    </Form>
  );
}

/** Whether an error can stand below a field: a checkbox has no place for one. */
const showsErrors = (values: ShareFormValues, field: string) =>
  Object.entries(values).some(([name, value]) => name === field && typeof value !== "boolean");

/** Whether the field has input that the browser cannot parse. */
const isUnreadable = ({ current }: RefObject<HTMLInputElement | null>) =>
  current?.validity.badInput === true;
