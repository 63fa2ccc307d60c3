import { Suspense, useState } from "react";
import type { ActivityRecipient } from "@/api/generated";
import { Button } from "@/ui/Button";
import { lazyComponent } from "@/ui/lazyComponent";
import { messages } from "../messages";

const Window = lazyComponent(() => import("./ErasePersonWindow"), "ErasePersonWindow");

/** A button that erases a recipient, after a question. */
export function ErasePerson({ ideaId, person }: { ideaId: number; person: ActivityRecipient }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  return (
    <>
      <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setOpen(true)}>
        {messages.erasure.button}
        <span className="sr-only">: {person.name}</span>
      </Button>
      <Suspense fallback={null}>
        {wanted && <Window ideaId={ideaId} person={person} open={open} onOpenChange={setOpen} />}
      </Suspense>
    </>
  );
}
