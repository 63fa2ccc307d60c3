import { type ComponentProps, useState } from "react";
import { Button } from "@/ui/Button";
import { focusOnMount } from "@/ui/focusOnMount";
import { TextField } from "@/ui/form/TextField";

type CodeFieldProps = Pick<ComponentProps<typeof TextField>, "error"> &
  ComponentProps<"input"> & {
    /** Called when the other kind of code is asked for: what was entered is not one of those. */
    onSwitch: () => void;
  };

/**
 * Field for the second factor: a code, for which phones offer the digit keyboard, or a recovery
 * code with letters. The server accepts either in both modes.
 */
export function CodeField({ onSwitch, ...props }: CodeFieldProps) {
  const [recovery, setRecovery] = useState(false);

  function switchKind() {
    setRecovery(!recovery);
    onSwitch();
  }

  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...props}
        key={String(recovery)}
        // The code is all that is missing.
        ref={focusOnMount}
        label={recovery ? "Recovery code" : "Code"}
        hint={recovery ? "16 letters and digits." : "Enter the code from your authenticator app."}
        inputMode={recovery ? "text" : "numeric"}
        autoComplete={recovery ? "off" : "one-time-code"}
        autoCapitalize="off"
        spellCheck={false}
        className="font-mono"
      />
      <Button variant="ghost" size="sm" className="self-end" onClick={switchKind}>
        {recovery ? "Use the app" : "Use a recovery code"}
      </Button>
    </div>
  );
}
