import { useRef, useState } from "react";
import { Button } from "@/ui/Button";
import type { DocumentSession } from "../session/documentSession";
import { canBeCopied, type SessionView } from "../session/sessionView";
import { DiscardDialog } from "./DiscardDialog";
import { DraftNotice } from "./DraftNotice";
import { fallbackTarget } from "./focusFallback";

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
      <DiscardDialog
        open={isAsking}
        onOpenChange={setAsking}
        hint={
          isText && !session.isReadOnly
            ? "To look at them first, restore them: Undo brings the current text back."
            : undefined
        }
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
  const { offer } = view;
  if (offer === null) return null;
  if (session.isReadOnly && !canBeCopied(view)) {
    // Such a draft has nothing but a title, which can only be read and written down.
    return (
      <DraftNotice draft={offer} note={`The unsaved title is “${offer.title}”.`}>
        <DiscardButton onClick={onDiscard} />
      </DraftNotice>
    );
  }
  const isOutdated = offer.baseRevision !== (view.idea?.revision ?? null);
  return (
    <DraftNotice draft={offer} note={isOutdated && "The idea has been saved since then."}>
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
      <DiscardButton onClick={onDiscard} />
    </DraftNotice>
  );
}

function DiscardButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" onClick={onClick}>
      Discard
    </Button>
  );
}
