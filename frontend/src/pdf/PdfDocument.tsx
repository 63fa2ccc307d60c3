import { Download, ExternalLink, FileText } from "lucide-react";
import { fileAddress } from "@/ui/addresses";
import { buttonStyles } from "@/ui/buttonStyles";
import { messages } from "./messages";
import { PdfViewer } from "./PdfViewer";
import { edgeStyles } from "./windowStyles";

interface PdfDocumentProps {
  readonly fileName: string;
  /** Unvalidated value from the server; only a file of this server is shown. */
  readonly pdfPath: unknown;
  /** Text of the link to the file itself. */
  readonly openLabel: string;
  /**
   * Download address; by default the address it is shown from. Null removes both links to the file.
   */
  readonly download?: string | null;
  /** Whether a menu of the page has the download on a phone. */
  readonly isInMenu?: boolean;
  /** Called when the server says that the file is not, or no longer, available. */
  readonly onGone?: () => void;
  /** Called when the first page is shown, or a failure. */
  readonly onShown?: () => void;
}

/** Icons only on a phone, so that the pages begin in the upper half of the screen. */
const phoneStyles = "max-sm:min-w-11 max-sm:px-2";

/** An imported PDF: its name, links to the file itself, and its pages. */
export function PdfDocument({
  fileName,
  pdfPath,
  openLabel,
  download,
  isInMenu = false,
  onGone,
  onShown,
}: PdfDocumentProps) {
  const address = fileAddress(pdfPath);
  const saved = address && download === undefined ? `${address}?download=1` : (download ?? null);
  return (
    <section
      aria-label={`PDF: ${fileName}`}
      className={`overflow-clip rounded-lg border border-line bg-surface shadow-soft print:shadow-none ${edgeStyles}`}
    >
      <div className="flex items-center justify-between gap-x-3 px-4 py-1.5 sm:flex-wrap sm:gap-x-6 sm:px-5 sm:py-3">
        <p className="flex min-w-0 flex-1 items-center gap-2.5 font-semibold sm:basis-60">
          <FileText className="size-5 shrink-0 text-seal" aria-hidden="true" />
          <span title={fileName} className="wrap-anywhere min-w-0 max-sm:truncate">
            {fileName}
          </span>
        </p>
        {address && download !== null && (
          <div className="flex shrink-0 gap-2 print:hidden">
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className={buttonStyles("secondary", "sm", phoneStyles)}
            >
              <ExternalLink className="size-4" aria-hidden="true" />
              <span className="max-sm:sr-only">{openLabel}</span>
            </a>
            {saved && (
              <a
                href={saved}
                download={fileName}
                className={buttonStyles("ghost", "sm", isInMenu ? "max-sm:hidden" : phoneStyles)}
              >
                <Download className="size-4" aria-hidden="true" />
                <span className="max-sm:sr-only">{messages.downloadPdf}</span>
              </a>
            )}
          </div>
        )}
      </div>
      {address ? (
        <>
          <PdfViewer
            key={address}
            address={address}
            fileName={fileName}
            download={saved}
            onGone={onGone}
            onShown={onShown}
          />
          <p className="hidden px-5 pb-4 print:block">{messages.printing}</p>
        </>
      ) : (
        <p className="border-line border-t px-5 py-10 text-center text-muted">
          {messages.unavailable}
        </p>
      )}
    </section>
  );
}
