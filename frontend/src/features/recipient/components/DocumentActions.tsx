import { Download, X } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch } from "@/app/hooks";
import { paths } from "@/app/paths";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toastShown } from "@/ui/toast/toastSlice";
import { clearVisit, endVisit } from "../leaving";
import { messages } from "../messages";

/** 'Download' only says so (spec section 2); 'Close' ends the visit after a question. */
export function DocumentActions({ token, shared }: { token: string; shared: SharedIdea }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [closing, setClosing] = useState(false);

  const close = async () => {
    setClosing(true);
    await dispatch(endVisit(token));
    setAsking(false);
    await navigate(paths.home);
    await dispatch(clearVisit());
  };

  return (
    <div className="flex shrink-0 gap-3 print:hidden">
      <Button variant="secondary" onClick={() => dispatch(toastShown(messages.downloadStarted))}>
        <Download className="size-4" aria-hidden="true" />
        Download
      </Button>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        <X className="size-4" aria-hidden="true" />
        Close
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close this document?"
        description={
          shared.shareType === "one-time"
            ? "This link was for one view. Once closed, the document cannot be viewed again."
            : "Your visit ends now. To read the document again later, open the link and enter your details once more."
        }
        confirmLabel="Close document"
        cancelLabel="Keep reading"
        danger={shared.shareType === "one-time"}
        busy={closing}
        onConfirm={close}
      />
    </div>
  );
}
