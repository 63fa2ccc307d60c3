import type { ComponentProps } from "react";
import { cx } from "../cx";
import { type FieldProps, FieldShell, inputStyles } from "./FieldShell";

type TextAreaProps = FieldProps & Omit<ComponentProps<"textarea">, "id">;

export function TextArea({ label, hint, error, className, ...input }: TextAreaProps) {
  return (
    <FieldShell label={label} hint={hint} error={error}>
      {(ids) => <textarea rows={4} {...input} {...ids} className={cx(inputStyles, className)} />}
    </FieldShell>
  );
}
