import { FileUp, PenLine } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAppDispatch } from "@/app/hooks";
import { paths } from "@/app/paths";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { toastShown } from "@/ui/toast/toastSlice";
import { pdfProblem } from "../pdfFile";

/** The dashed area that starts an idea: from scratch, or from a PDF that is picked or dropped. */
export function UploadArea() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [hovered, setHovered] = useState(false);

  const receive = (files: FileList | null) => {
    const [file] = files ?? [];
    if (!file) return;
    const problem = pdfProblem(file);
    dispatch(
      problem
        ? toastShown({ ...problem, variant: "destructive" })
        : toastShown({
            title: "PDF import is not available yet",
            description: "Start from scratch for now.",
          }),
    );
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setHovered(false);
    receive(event.dataTransfer.files);
  };

  return (
    <section
      aria-label="File an idea"
      className={cx(
        "relative mt-6 flex flex-col items-center gap-5 rounded-lg border-2 border-dashed px-4 py-10 text-center transition-colors",
        hovered ? "border-seal bg-seal-soft" : "border-line-strong bg-surface",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setHovered(true);
      }}
      onDragLeave={() => setHovered(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        tabIndex={-1}
        aria-label="PDF file"
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={(event) => {
          receive(event.target.files);
          event.target.value = "";
        }}
      />
      <div className="pointer-events-none relative">
        <h2 className="font-semibold font-serif text-2xl">+ File an Idea</h2>
        <p className="mt-1 text-muted text-sm">Write it here, or drop a PDF of up to 10 MB.</p>
      </div>
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
    </section>
  );
}
