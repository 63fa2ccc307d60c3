import { Download } from "lucide-react";
import { useState } from "react";
import { useLargeDownload } from "@/api/useLargeDownload";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { DownloadProgress } from "@/ui/DownloadProgress";
import { saveBlob } from "@/ui/saveText";
import { messages } from "./messages";

const texts = messages.export;

/** A button that downloads everything of the account, with its progress. */
export function ExportData() {
  const [failure, setFailure] = useState<string | null>(null);
  const { progress, isDone, start, cancel } = useLargeDownload("/api/account/export", {
    onReceived: ({ name, blob }) => saveBlob(name, blob),
    onFailed: ({ detail }) => setFailure(detail ?? texts.failed),
  });
  const begin = () => {
    setFailure(null);
    void start();
  };
  return (
    <div>
      <div className="flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
        <p className="text-muted text-sm">{texts.about}</p>
        <Button variant="secondary" className="shrink-0" busy={progress !== null} onClick={begin}>
          {progress === null && <Download className="size-4" aria-hidden="true" />}
          {failure ? texts.retry : texts.button}
        </Button>
      </div>
      {failure && (
        <div className="mt-4">
          <Alert>{failure}</Alert>
        </div>
      )}
      <DownloadProgress progress={progress} isDone={isDone} texts={texts} onCancel={cancel} />
    </div>
  );
}
