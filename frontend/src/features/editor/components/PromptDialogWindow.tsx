import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextField } from "@/ui/form/TextField";

/** One question, asked. */
export interface PromptDialogProps {
  readonly title: string;
  /** The question, in the specification's words. */
  readonly label: string;
  readonly initialValue: string;
  readonly hint?: string;
  readonly submitLabel: string;
  /** Returns what is wrong with the value, or undefined once it was used. */
  readonly onSubmit: (value: string) => string | undefined;
  readonly onClose: () => void;
}

/** Asks for one line of text, where the specification describes a browser prompt. */
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

  // A moment later than the dialog, which first notes where focus came from.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select());
    return () => clearTimeout(timer);
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The form sits in a portal, but React would still hand its submit to the page around it.
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
