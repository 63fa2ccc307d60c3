import { Button } from "@/ui/Button";
import { SentText } from "./SentText";

interface SelectionOfferProps {
  readonly text: string;
  readonly onSend: () => void;
  readonly onDismiss: () => void;
}

/** Offers to start the chat with the selected text, after the author's consent. */
export function SelectionOffer({ text, onSend, onDismiss }: SelectionOfferProps) {
  return (
    <div className="mb-3 flex flex-col gap-2 rounded-md border border-line bg-paper p-3">
      <p className="text-sm">Start with the text you selected?</p>
      <SentText text={text} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="sm" onClick={onDismiss}>
          Not now
        </Button>
        <Button size="sm" onClick={onSend}>
          Send it
        </Button>
      </div>
    </div>
  );
}
