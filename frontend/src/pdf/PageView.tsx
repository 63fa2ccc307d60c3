import { type CSSProperties, memo, useCallback, useEffect, useState } from "react";
import type { PdfFile } from "./engine";
import type { PageBox, Size } from "./geometry";
import type { PdfProblem } from "./loading";
import { messages } from "./messages";
import { PageLinks, PagePicture, PageText } from "./PageLayers";
import { usePage } from "./usePage";
import { useSettled } from "./useSettled";

interface PageViewProps {
  readonly file: PdfFile;
  readonly number: number;
  readonly pageCount: number;
  readonly box: PageBox;
  readonly onSize: (number: number, size: Size) => void;
  readonly onPlace: (destination: unknown) => void;
  /** Called when the page was drawn, or cannot be. */
  readonly onShown: () => void;
  readonly onProblem: (problem: PdfProblem) => void;
  readonly onRetry: () => void;
}

interface PageStyle extends CSSProperties {
  "--total-scale-factor": number;
}

/** One page: canvas, text layer and link layer. */
export const PageView = memo(function PageView(props: PageViewProps) {
  const { file, number, pageCount, box, onSize, onPlace, onShown, onRetry } = props;
  const { page, failure, fail } = usePage(file, number, onSize, props.onProblem);
  const drawnScale = useSettled(box.scale);
  const [isDrawn, setIsDrawn] = useState(false);
  const noteDrawn = useCallback(() => setIsDrawn(true), []);
  const isShown = isDrawn || failure !== null;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  const style: PageStyle = {
    top: box.top,
    width: box.width,
    height: box.height,
    "--total-scale-factor": (box.scale * 96) / 72,
  };
  return (
    <section
      aria-label={`Page ${number} of ${pageCount}`}
      className="absolute inset-x-0 mx-auto overflow-hidden bg-white text-page-ink shadow-soft"
      style={style}
    >
      {failure ? (
        <div className="flex h-full flex-col items-center justify-center gap-3 p-4 text-center">
          <p>{messages.pageFailed}</p>
          {(failure === "unreachable" || failure === "stalled") && (
            <button type="button" className="min-h-11 px-3 underline" onClick={onRetry}>
              {messages.tryAgain}
            </button>
          )}
        </div>
      ) : (
        page && (
          <>
            <PagePicture page={page} scale={drawnScale} onDrawn={noteDrawn} onError={fail} />
            {/* The picture first: they need the same worker. */}
            {isDrawn && <PageText page={page} onError={fail} />}
            {isDrawn && <PageLinks page={page} onPlace={onPlace} />}
          </>
        )
      )}
    </section>
  );
});
