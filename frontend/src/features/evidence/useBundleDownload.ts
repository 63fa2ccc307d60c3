import { useEffect, useRef, useState } from "react";
import { fetchLargeFile } from "@/api/fileDownload";
import type { ApiError } from "@/api/http";
import { saveBlob } from "@/ui/saveText";

/** Nothing is received while the server prepares the file. */
export interface BundleProgress {
  received: number;
  total: number | null;
}

/** Downloads a bundle into a file; the download ends with the page. */
export function useBundleDownload(url: string, onFailed: (error: ApiError) => void) {
  const [progress, setProgress] = useState<BundleProgress | null>(null);
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
    saveBlob(data.name, data.blob);
    setDone(true);
  };

  const cancel = () => {
    running.current?.abort();
    setProgress(null);
  };

  return { progress, isDone, start, cancel };
}
