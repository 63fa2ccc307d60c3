import { Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";

const BetaDialogs = lazyComponent(() => import("./components/BetaDialogs"), "BetaDialogs");

/** 'Get Started' and its dialogs. Dialogs and forms are large: loaded on demand. */
export function GetStarted() {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  useIdleLoad(BetaDialogs.load);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        Get Started
      </Button>
      <Suspense fallback={null}>
        {wanted && <BetaDialogs open={open} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
