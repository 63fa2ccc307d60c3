import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface NoticeDialogProps {
  readonly title: string;
  /** The message; null when there is none. */
  readonly text: string | null;
  readonly onClose: () => void;
}

/** A dialog with one message. */
export function NoticeDialog({ title, text, onClose }: NoticeDialogProps) {
  return (
    <Dialog
      open={text !== null}
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={text}
    >
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>OK</Button>
      </div>
    </Dialog>
  );
}
