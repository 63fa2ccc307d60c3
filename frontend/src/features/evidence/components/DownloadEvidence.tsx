import { Download } from "lucide-react";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { formatBytes } from "@/ui/bytes";
import { messages } from "../downloadMessages";
import { type BundleProgress, useBundleDownload } from "../useBundleDownload";

/** A button that downloads a bundle of evidence, with its progress. */
export function DownloadEvidence({ url }: { url: string }) {
  const dispatch = useAppDispatch();
  const { progress, isDone, start, cancel } = useBundleDownload(url, ({ detail }) => {
    dispatch(errorToast(detail ?? messages.failed));
  });
  return (
    <div>
      <Button className="w-full" busy={progress !== null} onClick={start}>
        {progress === null && <Download className="size-4" aria-hidden="true" />}
        {messages.button}
      </Button>
      <p role="status" className="sr-only">
        {isDone ? messages.done : spoken(progress)}
      </p>
      {progress && (
        <div className="mt-3">
          <progress
            max={progress.total ?? undefined}
            value={progress.total === null ? undefined : progress.received}
            aria-label={messages.button}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-seal-mark [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-seal-mark"
          />
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="text-muted text-sm tabular-nums">{shown(progress)}</p>
            <Button variant="ghost" size="sm" className="-mr-3" onClick={cancel}>
              {messages.cancel}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const shown = ({ received, total }: BundleProgress) =>
  received === 0
    ? messages.preparing
    : messages.running(formatBytes(received), total === null ? null : formatBytes(total));

/** Screen readers hear every quarter. */
function spoken(progress: BundleProgress | null): string {
  if (!progress) return "";
  const { received, total } = progress;
  if (total === null) return messages.preparing;
  const quarter = Math.floor((received / total) * 4) * 25;
  return quarter === 0 ? messages.preparing : `${quarter} %`;
}
