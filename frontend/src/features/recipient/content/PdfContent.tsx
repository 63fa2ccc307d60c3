import { useCallback } from "react";
import { shareDownloadUrl } from "@/api/fileDownload";
import { messages } from "@/pdf/messages";
import { PdfDocument } from "@/pdf/PdfDocument";
import { useAppDispatch } from "@/store/hooks";
import { checkAccess } from "../viewEnd";

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
  // Either only the file is missing, or the view is over.
  const check = useCallback(() => dispatch(checkAccess(ideaId)), [dispatch, ideaId]);
  return (
    <PdfDocument
      fileName={pdf.fileName}
      pdfPath={pdf.pdfPath}
      openLabel={messages.openInNewTab}
      download={allowDownload ? shareDownloadUrl(token) : null}
      isInMenu
      onGone={check}
      onShown={onShown}
    />
  );
}
