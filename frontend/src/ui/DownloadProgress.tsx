import { Button } from "./Button";
import { formatBytes } from "./bytes";

interface Progress {
  received: number;
  total: number | null;
}

export interface DownloadTexts {
  button: string;
  preparing: string;
  running: (received: string, total: string | null) => string;
  cancel: string;
  done: string;
}

interface DownloadProgressProps {
  /** Null while nothing is downloaded. */
  progress: Progress | null;
  isDone: boolean;
  texts: DownloadTexts;
  onCancel: () => void;
}

/** How far a download is, for eyes and screen readers, and a way to cancel it. */
export function DownloadProgress({ progress, isDone, texts, onCancel }: DownloadProgressProps) {
  return (
    <>
      <p role="status" className="sr-only">
        {isDone ? texts.done : spoken(progress, texts)}
      </p>
      {progress && (
        <div className="mt-3">
          <progress
            max={progress.total ?? undefined}
            value={progress.total === null ? undefined : progress.received}
            aria-label={texts.button}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-seal-mark [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-seal-mark"
          />
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="text-muted text-sm tabular-nums">{shown(progress, texts)}</p>
            <Button variant="ghost" size="sm" className="-mr-3" onClick={onCancel}>
              {texts.cancel}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

const shown = ({ received, total }: Progress, texts: DownloadTexts) =>
  received === 0
    ? texts.preparing
    : texts.running(formatBytes(received), total === null ? null : formatBytes(total));

/** Screen readers hear every quarter. */
function spoken(progress: Progress | null, texts: DownloadTexts): string {
  if (!progress) return "";
  const { received, total } = progress;
  if (total === null) return texts.preparing;
  const quarter = Math.floor((received / total) * 4) * 25;
  return quarter === 0 ? texts.preparing : `${quarter} %`;
}
