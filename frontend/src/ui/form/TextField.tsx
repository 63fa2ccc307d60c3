import type { ComponentProps } from "react";
import { cx } from "../cx";
import { type FieldProps, FieldShell, inputStyles } from "./FieldShell";

type TextFieldProps = FieldProps & Omit<ComponentProps<"input">, "id">;

export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  return (
    <FieldShell label={label} hint={hint} error={error}>
      {(ids) => <input {...input} {...ids} className={cx(inputStyles, className)} />}
    </FieldShell>
  );
}
