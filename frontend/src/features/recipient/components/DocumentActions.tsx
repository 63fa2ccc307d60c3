import { ChevronDown, Download, X } from "lucide-react";
import { useId, useState } from "react";
import { fetchFile, shareDownloadUrl } from "@/api/fileDownload";
import type { SharedIdea } from "@/api/generated";
import { agreementUrl, receiptUrl, shareEvidenceUrl } from "@/sharing/agreement";
import { draftsBeside } from "@/store/commentDraftsSlice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { errorToast, toastShown } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Menu } from "@/ui/Menu";
import { saveBlob, saveFrom } from "@/ui/saveText";
import { closeShare } from "../leaving";
import { logFailure } from "../log";
import { messages } from "../messages";

/** On a phone, the actions share the width of the screen. */
const phoneStyles = "max-sm:flex-1 max-sm:px-2 max-sm:text-sm";

/**
 * 'Download' saves the document if the link allows it, and on a phone is one of a menu; 'Close' ends
 * the visit after a confirmation.
 */
export function DocumentActions({ token, shared }: { token: string; shared: SharedIdea }) {
  const dispatch = useAppDispatch();
  const [asking, setAsking] = useState(false);
  const [closing, setClosing] = useState(false);
  const [downloading, setDownloading] = useState(false);
  const reasonId = useId();
  const hasUnsent = useAppSelector(({ commentDrafts: { texts } }) =>
    draftsBeside(texts, token).some((subject) => texts[subject]?.trim()),
  );

  const close = async () => {
    setClosing(true);
    await dispatch(closeShare(token));
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

  const { recipient } = shared;
  const downloads = [
    ...(shared.allowDownload ? [{ label: messages.downloads.document, onSelect: download }] : []),
    ...(recipient
      ? [
          {
            label: messages.downloads.agreement,
            onSelect: () => saveFrom(agreementUrl(recipient.id)),
          },
        ]
      : []),
    ...(recipient?.agreedToNda
      ? [
          { label: messages.downloads.receipt, onSelect: () => saveFrom(receiptUrl(recipient.id)) },
          { label: messages.downloads.evidence, onSelect: () => saveFrom(shareEvidenceUrl(token)) },
        ]
      : []),
  ];

  return (
    <div className="shrink-0 print:hidden">
      <div className="flex flex-wrap gap-1.5 sm:gap-3">
        <Menu
          label={messages.downloads.menu}
          className={buttonStyles("secondary", "md", `${phoneStyles} sm:hidden`)}
          items={downloads}
        >
          {messages.downloads.menu}
          <ChevronDown className="-ml-1 size-4 text-muted" aria-hidden="true" />
        </Menu>
        <Button
          variant="secondary"
          className="max-sm:hidden"
          busy={downloading}
          disabled={!shared.allowDownload}
          aria-describedby={shared.allowDownload ? undefined : reasonId}
          onClick={download}
        >
          {!downloading && <Download className="size-4" aria-hidden="true" />}
          Download
        </Button>
        <a href="#comments" className={buttonStyles("secondary", "md", `${phoneStyles} lg:hidden`)}>
          Comments
        </a>
        <Button variant="secondary" className={phoneStyles} onClick={() => setAsking(true)}>
          <X className="size-4 max-sm:hidden" aria-hidden="true" />
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
              : "Your visit ends now. To read on later, open the link again in this browser."}
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
