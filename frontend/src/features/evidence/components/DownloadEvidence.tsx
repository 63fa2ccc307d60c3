import { Download } from "lucide-react";
import { useLargeDownload } from "@/api/useLargeDownload";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Button } from "@/ui/Button";
import { DownloadProgress } from "@/ui/DownloadProgress";
import { saveBlob } from "@/ui/saveText";
import { messages } from "../downloadMessages";

/** A button that downloads an evidence bundle, with its progress. */
export function DownloadEvidence({ url }: { url: string }) {
  const dispatch = useAppDispatch();
  const { progress, isDone, start, cancel } = useLargeDownload(url, {
    onReceived: ({ name, blob }) => saveBlob(name, blob),
    onFailed: ({ detail }) => dispatch(errorToast(detail ?? messages.failed)),
  });
  return (
    <div>
      <Button className="w-full" busy={progress !== null} onClick={start}>
        {progress === null && <Download className="size-4" aria-hidden="true" />}
        {messages.button}
      </Button>
      <DownloadProgress progress={progress} isDone={isDone} texts={messages} onCancel={cancel} />
    </div>
  );
}
