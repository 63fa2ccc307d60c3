import { type DragEvent, Suspense, useRef, useState } from "react";
import { cx } from "@/ui/cx";
import { lazyComponent } from "@/ui/lazyComponent";
import { messages } from "../messages";
import { usePdfUpload } from "../usePdfUpload";
import { UploadPrompt } from "./UploadPrompt";
import { UploadStatus } from "./UploadStatus";

const AskBeforeLeaving = lazyComponent(() => import("@/ui/AskBeforeLeaving"), "AskBeforeLeaving");

/**
 * Creates an idea: a new one, or from a PDF that is picked or dropped. During an upload, shows its
 * progress instead.
 */
export function UploadArea() {
  const { state, start, cancel } = usePdfUpload();
  const [hovered, setHovered] = useState(false);
  const area = useRef<HTMLElement>(null);
  const open = state.phase === "idle" || state.phase === "failed";

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setHovered(false);
    // Only the first file is used.
    if (open) void start(event.dataTransfer.files[0]);
  };
  const leave = ({ relatedTarget, currentTarget }: DragEvent) => {
    const inside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!inside) setHovered(false);
  };

  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label="File an idea"
      data-highlighted={(hovered && open) || undefined}
      className={uploadAreaStyles(state.phase === "idle", hovered && open)}
      onDragOver={(event) => {
        event.preventDefault();
        setHovered(true);
      }}
      onDragLeave={leave}
      onDrop={drop}
    >
      {open && (
        <UploadPrompt
          failure={state.phase === "failed" ? state.reason : null}
          onFile={(file) => {
            // The clicked button is removed; the area stays.
            area.current?.focus();
            void start(file);
          }}
        />
      )}
      <UploadStatus
        state={state}
        onCancel={() => {
          area.current?.focus();
          cancel();
        }}
      />
      <Suspense fallback={null}>
        {state.phase === "uploading" && (
          <AskBeforeLeaving title={messages.leaveUpload} description={messages.uploadEnds} />
        )}
      </Suspense>
    </section>
  );
}

/** Styles of the area, by whether its content stands in a row and whether a file is above it. */
export const uploadAreaStyles = (inRow: boolean, hovered: boolean) =>
  cx(
    "relative mt-6 flex min-h-36 flex-col items-center justify-center gap-5 rounded-lg border-2 border-dashed px-4 py-6 text-center outline-none transition-colors",
    inRow && "sm:flex-row sm:gap-12 sm:text-left",
    hovered ? "border-seal bg-seal-soft" : "border-line-strong bg-surface",
  );
