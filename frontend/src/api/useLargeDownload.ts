import { useEffect, useRef, useState } from "react";
import { fetchLargeFile } from "./fileDownload";
import type { ApiError } from "./http";

/** Nothing is received while the server prepares the file. */
interface DownloadState {
  received: number;
  total: number | null;
}

interface Outcomes {
  onReceived: (file: { name: string; blob: Blob }) => void;
  onFailed: (error: ApiError) => void;
}

/** Downloads a large file; the download ends with the page. */
export function useLargeDownload(url: string, { onReceived, onFailed }: Outcomes) {
  const [progress, setProgress] = useState<DownloadState | null>(null);
  const [isDone, setDone] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const abort = new AbortController();
    running.current = abort;
    setDone(false);
    setProgress({ received: 0, total: null });
    const { data, error } = await fetchLargeFile(url, {
      signal: abort.signal,
      onProgress: (received, total) => setProgress({ received, total }),
    });
    if (abort.signal.aborted) return;
    setProgress(null);
    if (error) return onFailed(error);
    onReceived(data);
    setDone(true);
  };

  const cancel = () => {
    running.current?.abort();
    setProgress(null);
  };

  return { progress, isDone, start, cancel };
}
