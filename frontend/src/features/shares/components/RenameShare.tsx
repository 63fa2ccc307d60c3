import { type FormEvent, useId, useState } from "react";
import { toApiError } from "@/api/baseApi";
import type { Share } from "@/api/generated";
import { useChangeShareMutation } from "@/api/shares";
import { useUnsavedWork } from "@/store/unsavedWork";
import { Button } from "@/ui/Button";
import { focusOnMount } from "@/ui/focusOnMount";
import { inputStyles } from "@/ui/form/FieldShell";
import { messages } from "../messages";
import { NAME_MAX } from "../shareForm";

interface RenameShareProps {
  share: Share;
  onClose: () => void;
}

/** Inline form for the name of a link. Esc cancels, unless it is being saved. */
export function RenameShare({ share, onClose }: RenameShareProps) {
  const id = useId();
  const [name, setName] = useState(share.name ?? "");
  const [failure, setFailure] = useState<string | null>(null);
  const [changeShare, { isLoading }] = useChangeShareMutation();
  useUnsavedWork(name !== (share.name ?? ""));

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    setFailure(null);
    const { error } = await changeShare({
      id: share.id,
      shareChangeBody: { name: name.trim() || null },
    });
    if (!error) onClose();
    else setFailure(toApiError(error).detail ?? messages.renameFailed);
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
          ref={focusOnMount}
          aria-invalid={failure ? true : undefined}
          aria-describedby={failure ? `${id}-failure` : undefined}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && !isLoading && onClose()}
          className={`${inputStyles} flex-1 basis-48`}
        />
        <Button type="submit" size="sm" busy={isLoading}>
          Save name
        </Button>
        <Button variant="ghost" size="sm" disabled={isLoading} onClick={onClose}>
          Cancel
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
