import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cx } from "../cx";
import { IconButton } from "../IconButton";
import { type FieldProps, FieldShell, inputStyles } from "./FieldShell";

type PasswordFieldProps = FieldProps & Omit<ComponentProps<"input">, "id" | "type">;

/** Paste and password managers stay allowed (WCAG 3.3.8). */
export function PasswordField({ label, hint, error, className, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldShell label={label} hint={hint} error={error}>
      {(ids) => (
        <div className="relative">
          <input
            {...input}
            {...ids}
            type={shown ? "text" : "password"}
            className={cx(inputStyles, "pr-12", className)}
          />
          <IconButton
            label={shown ? "Hide password" : "Show password"}
            className="absolute inset-y-0 right-0.5 my-auto"
            onClick={() => setShown(!shown)}
          >
            <Icon className="size-5" aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </FieldShell>
  );
}
