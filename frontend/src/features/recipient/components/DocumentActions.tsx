import { Download, X } from "lucide-react";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { fetchFile, shareDownloadUrl } from "@/api/fileDownload";
import type { SharedIdea } from "@/api/generated";
import { paths } from "@/routing/paths";
import { draftsBeside } from "@/store/commentDraftsSlice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { errorToast, toastShown } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { saveBlob } from "@/ui/saveText";
import { useIsMounted } from "@/ui/useIsMounted";
import { closeShare, discardUnsentComments } from "../leaving";
import { logFailure } from "../log";
import { messages } from "../messages";
import { denyAccess } from "../visit";

/**
 * 'Download' saves the document if the link allows it; 'Close' ends the visit after a confirmation.
 */
export function DocumentActions({ token, shared }: { token: string; shared: SharedIdea }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [closing, setClosing] = useState(false);
  const [downloading, setDownloading] = useState(false);
  const reasonId = useId();
  const isMounted = useIsMounted();
  const hasUnsent = useAppSelector(({ commentDrafts: { texts } }) =>
    draftsBeside(texts, token).some((subject) => texts[subject]?.trim()),
  );

  const close = async () => {
    setClosing(true);
    await dispatch(closeShare(token));
    await dispatch(discardUnsentComments(token));
    // Else the recipient has gone somewhere else meanwhile.
    if (isMounted()) {
      setAsking(false);
      await navigate(paths.home);
    }
    await dispatch(denyAccess(token, "left"));
  };

  const download = async () => {
    setDownloading(true);
    dispatch(toastShown(messages.downloadStarted));
    const { data, error } = await fetchFile(shareDownloadUrl(token));
    setDownloading(false);
    if (data) return saveBlob(data.name, data.blob);
    logFailure("Failed to download the document", error);
    dispatch(errorToast(error.detail ?? messages.downloadFailed));
  };

  return (
    <div className="shrink-0 print:hidden">
      <div className="flex gap-3">
        <Button
          variant="secondary"
          busy={downloading}
          disabled={!shared.allowDownload}
          aria-describedby={shared.allowDownload ? undefined : reasonId}
          onClick={download}
        >
          {!downloading && <Download className="size-4" aria-hidden="true" />}
          Download
        </Button>
        <Button variant="secondary" onClick={() => setAsking(true)}>
          <X className="size-4" aria-hidden="true" />
          Close
        </Button>
      </div>
      {!shared.allowDownload && (
        <p id={reasonId} className="mt-1 text-muted text-sm">
          {messages.downloadOff}
        </p>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close this document?"
        description={
          <>
            {shared.shareType === "one-time"
              ? "This link was for one view. Once closed, the document cannot be viewed again."
              : "Your visit ends now. To read the document again later, open the link and enter your details again."}
            {hasUnsent && " Your comment was not sent, and will be lost."}
          </>
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
