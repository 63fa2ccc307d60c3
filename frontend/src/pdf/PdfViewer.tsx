import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import type { PdfProblem } from "./loading";
import { messages, problems } from "./messages";
import { PageStack } from "./PageStack";
import { usePdfFile } from "./usePdfFile";
import { windowStyles } from "./windowStyles";

interface PdfViewerProps {
  readonly address: string;
  readonly fileName: string;
  /** Download address; null when downloads are not allowed. */
  readonly download: string | null;
  readonly onGone?: (() => void) | undefined;
  readonly onShown?: (() => void) | undefined;
}

/**
 * PDF viewer of constant height: whatever the file turns out to be, nothing around it moves. Only on
 * a phone, where an empty frame would fill the screen, a failure takes no more space than it needs.
 */
export function PdfViewer({
  address,
  fileName,
  download,
  onGone,
  onShown = ignore,
}: PdfViewerProps) {
  const { state, fail, retry } = usePdfFile(address);
  const lastPage = useRef(0);
  const isGone = state.status === "failed" && state.problem === "gone";

  useEffect(() => {
    if (isGone) onGone?.();
  }, [isGone, onGone]);

  const isFailed = state.status === "failed";
  useEffect(() => {
    if (isFailed) onShown();
  }, [isFailed, onShown]);

  if (state.status === "ready") {
    return (
      <PageStack
        file={state.document}
        fileName={fileName}
        startIndex={lastPage.current}
        onPage={(index) => {
          lastPage.current = index;
        }}
        onProblem={fail}
        onRetry={retry}
        onShown={onShown}
      />
    );
  }
  return (
    <div
      className={cx(
        windowStyles,
        "flex items-start justify-center px-6 pt-[16dvh] text-center",
        state.status === "failed" && "max-sm:h-auto max-sm:py-10",
      )}
    >
      {state.status === "opening" ? (
        <div className="flex max-w-md flex-col items-center gap-3 text-muted">
          <p role="status" className="flex flex-col items-center gap-3">
            <span className="flex items-center gap-3">
              <Spinner className="size-5" />
              {messages.loading}
            </span>
            {state.isSlow && <span>{messages.slow}</span>}
          </p>
          {state.isSlow && (
            <Button variant="secondary" onClick={retry}>
              {messages.tryAgain}
            </Button>
          )}
        </div>
      ) : (
        <div role="alert" className="flex max-w-md flex-col items-center gap-3">
          <p className="font-semibold text-lg">{problems[state.problem].title}</p>
          <p className="text-muted">{problems[state.problem].advice}</p>
          <div className="mt-2 flex flex-wrap justify-center gap-3">
            {retryHelps(state.problem) && (
              <Button variant="secondary" onClick={retry}>
                {messages.tryAgain}
              </Button>
            )}
            {download && state.problem !== "gone" && (
              <a href={download} download={fileName} className={buttonStyles("secondary", "md")}>
                <Download className="size-4" aria-hidden="true" />
                {messages.downloadPdf}
              </a>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

const ignore = () => undefined;

/** Whether a retry may help. */
const retryHelps = (problem: PdfProblem) => problem === "unreachable" || problem === "stalled";
