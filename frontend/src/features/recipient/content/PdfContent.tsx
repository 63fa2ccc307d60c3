import { useCallback } from "react";
import { shareDownloadUrl } from "@/api/fileDownload";
import { useAppDispatch } from "@/app/hooks";
import { messages } from "@/pdf/messages";
import { PdfDocument } from "@/pdf/PdfDocument";
import { loadComments } from "../comments";

interface PdfContentProps {
  readonly pdf: { readonly fileName: string; readonly pdfPath: unknown };
  readonly token: string;
  readonly ideaId: number;
  readonly allowDownload: boolean;
}

/** An imported PDF, as its recipient sees it. */
export function PdfContent({ pdf, token, ideaId, allowDownload }: PdfContentProps) {
  const dispatch = useAppDispatch();
  // Whether only the file is missing or the whole visit is over, the comments tell, and they cost
  // no view.
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
    />
  );
}
