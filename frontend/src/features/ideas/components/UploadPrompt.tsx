import { FileUp, PenLine } from "lucide-react";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/routing/paths";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { useHiddenInToast } from "@/ui/toastText";
import { maxPdfSize } from "@/ui/vault";
import { messages } from "../messages";

interface UploadPromptProps {
  /** Why the last upload failed. */
  failure: string | null;
  onFile: (file: File) => void;
}

/**
 * The upload area before a file is chosen. The file input covers it, so that a click anywhere opens
 * the file chooser.
 */
export function UploadPrompt({ failure, onFile }: UploadPromptProps) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const hidden = useHiddenInToast(failure);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        tabIndex={-1}
        aria-label="PDF file"
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
      <div className="pointer-events-none relative">
        <h2 className="font-semibold font-serif text-2xl">+ File an Idea</h2>
        <p className="mt-1 text-muted text-sm">
          Write it here, or drop a PDF of up to {maxPdfSize()}.
        </p>
      </div>
      {failure && (
        <div className="pointer-events-none relative max-w-md text-left">
          <Alert>
            <p className="font-semibold">{messages.pdfAreaFailed}</p>
            <p className={cx("wrap-anywhere", hidden)}>{failure}</p>
          </Alert>
        </div>
      )}
      <div className="pointer-events-none relative flex w-full flex-col justify-center gap-3 *:pointer-events-auto sm:w-auto sm:flex-row">
        <Button onClick={() => navigate(paths.newIdea)}>
          <PenLine className="size-4" aria-hidden="true" />
          Start from scratch
        </Button>
        <Button variant="secondary" onClick={() => input.current?.click()}>
          <FileUp className="size-4" aria-hidden="true" />
          Upload PDF
        </Button>
      </div>
    </>
  );
}
