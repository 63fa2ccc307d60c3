import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextField } from "@/ui/form/TextField";

/** Props of the dialog. */
export interface PromptDialogProps {
  readonly title: string;
  /** The question. */
  readonly label: string;
  readonly initialValue: string;
  readonly hint?: string;
  readonly submitLabel: string;
  /** Returns the error of the value, or undefined once it was used. */
  readonly onSubmit: (value: string) => string | undefined;
  readonly onClose: () => void;
}

/** Dialog for one line of text. */
export function PromptDialogWindow({
  title,
  label,
  initialValue,
  hint,
  submitLabel,
  onSubmit,
  onClose,
}: PromptDialogProps) {
  const [value, setValue] = useState(initialValue);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  // Deferred, because the dialog first records which element had focus.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select());
    return () => clearTimeout(timer);
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The form is in a portal, but React would still bubble its submit event to the form around it.
    event.stopPropagation();
    const problem = onSubmit(value);
    setError(problem);
    if (problem === undefined) onClose();
  };

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-5">
        <TextField
          ref={input}
          label={label}
          hint={hint}
          error={error}
          value={value}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setValue(event.target.value)}
        />
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{submitLabel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
