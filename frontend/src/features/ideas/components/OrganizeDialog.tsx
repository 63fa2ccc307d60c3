import { Suspense, useState } from "react";
import type { ListedIdea } from "@/api/generated";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";

const Window = lazyComponent(() => import("./OrganizeWindow"), "OrganizeWindow");

interface OrganizeDialogProps {
  /** The idea to organize; null when the dialog is closed. */
  idea: ListedIdea | null;
  onClose: () => void;
  onSaved: () => void;
}

/** Asks for the tags of an idea, and whether it is archived. */
export function OrganizeDialog({ idea, onClose, onSaved }: OrganizeDialogProps) {
  const [last, setLast] = useState(idea);
  if (idea && idea !== last) setLast(idea);
  useIdleLoad(Window.load);
  return (
    <Suspense fallback={null}>
      {last && (
        <Window
          key={last.id}
          idea={last}
          open={idea !== null}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </Suspense>
  );
}
