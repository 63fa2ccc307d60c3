import { lazy, Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { useIdleLoad } from "@/ui/useIdleLoad";

const load = () => import("./components/BetaDialogs");
const BetaDialogs = lazy(async () => ({ default: (await load()).BetaDialogs }));

/** 'Get Started' and its dialogs. Dialogs and forms are large: loaded on demand. */
export function GetStarted() {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  useIdleLoad(load);
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
