import { History } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { formatAge } from "../session/age";
import type { DocumentSession } from "../session/documentSession";
import { canBeCopied, type SessionView } from "../session/sessionView";
import { fallbackTarget, withFocusFallback } from "./focusFallback";

interface DraftBarProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
  /** Saves the draft of a published idea as a new idea. */
  readonly onSaveAsNew: () => void;
}

/** Offers to restore a draft of an earlier session, without interrupting the user. */
export function DraftBar({ session, view, onSaveAsNew }: DraftBarProps) {
  const [isAsking, setAsking] = useState(false);
  const focusAfterwards = useRef<HTMLElement>(null);
  // Of other content there is only a title, which Undo does not bring back.
  const isText = view.idea === null || canBeCopied(view);
  const discard = () => {
    setAsking(false);
    session.discard();
    // With the last draft, the button is gone.
    focusAfterwards.current = session.getView().offer === null ? fallbackTarget() : null;
  };
  return (
    <>
      <Offer
        session={session}
        view={view}
        onSaveAsNew={onSaveAsNew}
        onDiscard={() => setAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Discard these changes?"
        description={
          isText && !session.isReadOnly
            ? "They are deleted from this browser, which has the only copy. To look at them first, restore them: Undo brings back the text of now."
            : "They are deleted from this browser, which has the only copy."
        }
        confirmLabel="Discard"
        danger
        onConfirm={discard}
        focusAfterConfirm={focusAfterwards}
      />
    </>
  );
}

interface OfferProps extends DraftBarProps {
  readonly onDiscard: () => void;
}

function Offer({ session, view, onSaveAsNew, onDiscard }: OfferProps) {
  const [openedAt] = useState(Date.now);
  const { offer } = view;
  if (offer === null || (session.isReadOnly && !canBeCopied(view))) return null;
  const revision = view.idea?.revision ?? null;
  return (
    <section
      ref={withFocusFallback}
      aria-label="Unsaved draft"
      className="-mx-4 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-y bg-warning-soft px-5 py-2.5 text-sm sm:mx-0 sm:rounded-lg sm:border sm:px-4 print:hidden"
    >
      <History className="size-4 shrink-0 text-warning" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60">
        Unsaved changes from {formatAge(offer.savedAt, openedAt)} were kept in this browser.
        {offer.baseRevision !== revision && " The idea has been saved since then."}
      </p>
      <div className="flex gap-2">
        {session.isReadOnly ? (
          <Button variant="secondary" size="sm" busy={view.isCopying} onClick={onSaveAsNew}>
            Save as a new idea
          </Button>
        ) : (
          <Button
            variant="secondary"
            size="sm"
            busy={view.status === "saving" || view.isLocked}
            hasSpinner={false}
            onClick={() => session.restore()}
          >
            Restore
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </section>
  );
}
