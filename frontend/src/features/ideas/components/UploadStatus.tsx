import { CircleCheck } from "lucide-react";
import { Button } from "@/ui/Button";
import { Spinner } from "@/ui/Spinner";
import { messages } from "../messages";
import type { UploadState } from "../usePdfUpload";

interface UploadStatusProps {
  state: UploadState;
  onCancel: () => void;
}

/** A running or finished upload. Screen readers announce every quarter, not every per cent. */
export function UploadStatus({ state, onCancel }: UploadStatusProps) {
  return (
    <>
      <p role="status" className="sr-only">
        {spoken(state)}
      </p>
      {state.phase === "uploading" && (
        <>
          <Spinner className="size-8 text-seal" />
          <div>
            <h2 className="font-semibold font-serif text-2xl">{messages.pdfUploading}</h2>
            <p className="mt-1 text-muted text-sm">{messages.pdfWait}</p>
          </div>
          <div className="w-full max-w-sm">
            <progress
              value={state.progress}
              max={1}
              aria-label={`Upload of ${state.fileName}`}
              className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-seal-mark [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-seal-mark"
            />
            <p className="wrap-anywhere mt-1 line-clamp-2 text-muted text-sm tabular-nums">
              {state.fileName} · {state.progress < 1 ? percent(state.progress) : "Processing"}
            </p>
          </div>
          <Button variant="secondary" size="sm" onClick={onCancel}>
            Cancel upload
          </Button>
        </>
      )}
      {state.phase === "done" && (
        <>
          <CircleCheck className="size-10 text-success" aria-hidden="true" />
          <div>
            <h2 className="font-semibold font-serif text-2xl">{messages.pdfDone}</h2>
            <p className="wrap-anywhere mt-1 text-muted text-sm">Opening {state.fileName}</p>
          </div>
        </>
      )}
    </>
  );
}

const percent = (fraction: number): string => `${Math.floor(fraction * 100)} %`;

function spoken(state: UploadState): string {
  if (state.phase === "done") return messages.pdfDone;
  if (state.phase !== "uploading") return "";
  if (state.progress >= 1) return `${messages.pdfUploading} Processing`;
  const quarter = Math.floor(state.progress * 4) / 4;
  return quarter === 0
    ? `${messages.pdfUploading} ${messages.pdfWait}`
    : `${messages.pdfUploading} ${percent(quarter)}`;
}
