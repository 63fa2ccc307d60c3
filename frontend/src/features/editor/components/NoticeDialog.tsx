import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface NoticeDialogProps {
  readonly title: string;
  /** What happened, in the specification's words; null when there is nothing to say. */
  readonly text: string | null;
  readonly onClose: () => void;
}

/** Says one thing, where the specification describes a browser alert. */
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
