import { Suspense, useId, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { lazyComponent } from "@/ui/lazyComponent";
import { Panel } from "@/ui/Panel";
import { useIdleLoad } from "@/ui/useIdleLoad";

const PasswordForm = lazyComponent(() => import("./PasswordForm"), "PasswordForm");

/** Opens and closes the password form; closing discards its input. */
export function PasswordSection() {
  const id = useId();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useIdleLoad(PasswordForm.load);
  const close = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <Panel title="Password">
      <div className="flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between">
        <p className="text-muted text-sm">
          Use at least 6 characters. Changing it signs you out everywhere else.
        </p>
        <Button
          ref={toggle}
          variant="secondary"
          className="shrink-0"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          Change Password
        </Button>
      </div>
      {open && (
        <div id={id} className="mt-6 border-line border-t pt-6">
          <Suspense fallback={null}>
            <PasswordForm onClose={close} />
          </Suspense>
        </div>
      )}
    </Panel>
  );
}
