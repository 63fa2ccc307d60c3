import { Download, ExternalLink, FileText } from "lucide-react";
import { buttonStyles } from "@/ui/buttonStyles";
import { pdfAddress } from "./addresses";

/** An imported PDF, by name and by link. */
export function PdfContent({ pdf }: { pdf: { fileName: string; pdfPath: unknown } }) {
  const address = pdfAddress(pdf.pdfPath);
  return (
    <div className="flex flex-col items-center gap-5 rounded-lg border border-line bg-surface px-5 py-14 text-center shadow-soft">
      <FileText className="size-12 text-seal" aria-hidden="true" />
      <p className="max-w-full font-semibold font-serif text-xl">{pdf.fileName}</p>
      {address ? (
        <div className="flex flex-wrap justify-center gap-3 print:hidden">
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className={buttonStyles("primary", "md")}
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            Open in New Tab
          </a>
          <a href={address} download={pdf.fileName} className={buttonStyles("secondary", "md")}>
            <Download className="size-4" aria-hidden="true" />
            Download PDF
          </a>
        </div>
      ) : (
        <p className="text-muted">The file of this document is not available.</p>
      )}
    </div>
  );
}
