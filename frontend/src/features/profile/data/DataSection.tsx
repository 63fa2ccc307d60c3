import { Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { lazyComponent } from "@/ui/lazyComponent";
import { Panel } from "@/ui/Panel";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { ExportData } from "./ExportData";
import { messages } from "./messages";

const Window = lazyComponent(() => import("./DeleteAccountWindow"), "DeleteAccountWindow");

/** Export of everything of the account, and its deletion. */
export function DataSection() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  useIdleLoad(Window.load);
  return (
    <Panel title="Your data">
      <ExportData />
      <div className="mt-6 flex flex-col items-start gap-3 border-line border-t pt-6 sm:flex-row sm:items-center sm:justify-between">
        <p className="text-muted text-sm">{messages.deletion.about}</p>
        <Button variant="danger" className="shrink-0" onClick={() => setOpen(true)}>
          {messages.deletion.button}
        </Button>
      </div>
      <Suspense fallback={null}>{wanted && <Window open={open} onOpenChange={setOpen} />}</Suspense>
    </Panel>
  );
}
