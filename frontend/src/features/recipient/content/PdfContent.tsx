import { useCallback } from "react";
import { shareDownloadUrl } from "@/api/fileDownload";
import { messages } from "@/pdf/messages";
import { PdfDocument } from "@/pdf/PdfDocument";
import { useAppDispatch } from "@/store/hooks";
import { loadComments } from "../comments";

interface PdfContentProps {
  readonly pdf: { readonly fileName: string; readonly pdfPath: unknown };
  readonly token: string;
  readonly ideaId: number;
  readonly allowDownload: boolean;
  readonly onShown: () => void;
}

/** An imported PDF, for its recipient. */
export function PdfContent({ pdf, token, ideaId, allowDownload, onShown }: PdfContentProps) {
  const dispatch = useAppDispatch();
  // The request for the comments shows whether only the file is missing or the visit is over, and
  // does not count as a view.
  const askWhether = useCallback(
    () => dispatch(loadComments(token, ideaId)),
    [dispatch, token, ideaId],
  );
  return (
    <PdfDocument
      fileName={pdf.fileName}
      pdfPath={pdf.pdfPath}
      openLabel={messages.openInNewTab}
      download={allowDownload ? shareDownloadUrl(token) : null}
      onGone={askWhether}
      onShown={onShown}
    />
  );
}
