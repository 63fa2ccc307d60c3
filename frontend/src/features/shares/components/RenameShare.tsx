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
import { NAME_MAX } from "../shareForm";

/** The name of a link. */
export function RenameShare({ share }: { share: Share }) {
  const dispatch = useAppDispatch();
  const id = useId();
  const [name, setName] = useState(share.name ?? "");
  const [failure, setFailure] = useState<string | null>(null);
  const [changeShare, { isLoading }] = useChangeShareMutation();
  useUnsavedWork(name !== (share.name ?? ""));

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    setFailure(null);
    const trimmed = name.trim();
    setName(trimmed);
    const { error } = await changeShare({
      id: share.id,
      shareChangeBody: { name: trimmed || null },
    });
    if (error) setFailure(toApiError(error).detail ?? messages.renameFailed);
    else dispatch(successToast(messages.renamed));
  };

  return (
    <form onSubmit={save} className="flex w-full flex-col gap-2" noValidate>
      <label htmlFor={id} className="font-semibold text-sm">
        Link name
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          value={name}
          maxLength={NAME_MAX}
          readOnly={isLoading}
          autoComplete="off"
          aria-invalid={failure ? true : undefined}
          aria-describedby={failure ? `${id}-failure` : undefined}
          onChange={(event) => setName(event.target.value)}
          className={`${inputStyles} flex-1 basis-48`}
        />
        <Button type="submit" variant="secondary" size="sm" busy={isLoading}>
          Save name
        </Button>
      </div>
      {failure && (
        <p id={`${id}-failure`} role="alert" className="text-danger text-sm">
          {failure}
        </p>
      )}
    </form>
  );
}
