import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
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
}

/** PDF viewer of constant height: whatever the file turns out to be, nothing around it moves. */
export function PdfViewer({ address, fileName, download, onGone }: PdfViewerProps) {
  const { state, fail, retry } = usePdfFile(address);
  const lastPage = useRef(0);
  const isGone = state.status === "failed" && state.problem === "gone";

  useEffect(() => {
    if (isGone) onGone?.();
  }, [isGone, onGone]);

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
      />
    );
  }
  return (
    <div className={`${windowStyles} flex items-start justify-center px-6 pt-[16dvh] text-center`}>
      {state.status === "opening" ? (
        <p role="status" className="flex items-center gap-3 text-muted">
          <Spinner className="size-5" />
          {messages.loading}
        </p>
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

/** Whether a retry may help. */
const retryHelps = (problem: PdfProblem) => problem === "unreachable" || problem === "stalled";
