import { type FormEvent, useId, useState } from "react";
import { toApiError } from "@/api/baseApi";
import type { Share } from "@/api/generated";
import { useChangeShareMutation } from "@/api/shares";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { useUnsavedWork } from "@/store/unsavedWork";
import { Button } from "@/ui/Button";
import { inputStyles } from "@/ui/form/FieldShell";
import { messages } from "../messages";
import { TEXT_MAX } from "../shareForm";

interface ShareTextFormProps {
  share: Share;
  field: "name" | "coverTitle";
}

/** A text of a link that its owner can change or remove. */
export function ShareTextForm({ share, field }: ShareTextFormProps) {
  const { label, hint, button, saved, failed } = messages.texts[field];
  const known = share[field] ?? "";
  const dispatch = useAppDispatch();
  const id = useId();
  const [text, setText] = useState(known);
  const [failure, setFailure] = useState<string | null>(null);
  const [changeShare, { isLoading }] = useChangeShareMutation();
  useUnsavedWork(text !== known);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    setFailure(null);
    const trimmed = text.trim();
    setText(trimmed);
    const { error } = await changeShare({
      id: share.id,
      shareChangeBody: { [field]: trimmed || null },
    });
    if (error) setFailure(toApiError(error).detail ?? failed);
    else dispatch(successToast(saved));
  };

  return (
    <form onSubmit={save} className="flex w-full flex-col gap-2" noValidate>
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          value={text}
          maxLength={TEXT_MAX[field]}
          readOnly={isLoading}
          autoComplete="off"
          aria-invalid={failure ? true : undefined}
          aria-describedby={`${id}-hint${failure ? ` ${id}-failure` : ""}`}
          onChange={(event) => setText(event.target.value)}
          className={`${inputStyles} flex-1 basis-48`}
        />
        <Button type="submit" variant="secondary" size="sm" busy={isLoading}>
          {button}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-muted text-sm">
        {hint}
      </p>
      {failure && (
        <p id={`${id}-failure`} role="alert" className="text-danger text-sm">
          {failure}
        </p>
      )}
    </form>
  );
}
