import { useId, useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useErasePersonMutation } from "@/api/enhanced";
import type { ActivityRecipient } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { messages } from "../messages";

const texts = messages.erasure;

interface ErasePersonWindowProps {
  person: ActivityRecipient;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says what an erasure removes and what it cannot, and erases the person. */
export function ErasePersonWindow({ person, open, onOpenChange }: ErasePersonWindowProps) {
  const dispatch = useAppDispatch();
  const id = useId();
  const [keeps, setKeeps] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [erasePerson, { isLoading }] = useErasePersonMutation();
  const erase = async () => {
    setFailure(null);
    const { error } = await erasePerson({ id: person.id, keepAgreements: keeps });
    if (error) return setFailure(toApiError(error).detail ?? texts.failed);
    onOpenChange(false);
    dispatch(successToast(texts.done));
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title(person.name)}
      description={texts.what(person.email)}
      busy={isLoading}
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
      </dl>
      <label htmlFor={id} className="mt-5 flex min-h-11 cursor-pointer items-start gap-3 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={keeps}
          onChange={(event) => setKeeps(event.target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-primary"
        />
        <span>
          {texts.keep}
          <span className="block text-muted">{texts.keepHint}</span>
        </span>
      </label>
      {failure && (
        <div className="mt-4">
          <Alert>{failure}</Alert>
        </div>
      )}
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={isLoading} onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant="danger" busy={isLoading} onClick={erase}>
          {texts.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
