import "./pdf.css";
import {
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from "react";
import { ScrollRegion } from "@/ui/ScrollRegion";
import type { PdfFile } from "./engine";
import {
  availableWidth,
  canZoom,
  fitScale,
  layOut,
  MAX_PAGES,
  pagesBetween,
  topOf,
  zoomed,
} from "./geometry";
import type { PdfProblem } from "./loading";
import { PageView } from "./PageView";
import { Toolbar } from "./Toolbar";
import { usePageSizes } from "./usePageSizes";
import { usePageWindow } from "./usePageWindow";
import { windowStyles } from "./windowStyles";

interface PageStackProps {
  readonly file: PdfFile;
  readonly fileName: string;
  readonly startIndex: number;
  readonly onPage: (index: number) => void;
  readonly onProblem: (problem: PdfProblem) => void;
  readonly onRetry: () => void;
  /** Called when the first page was drawn, or cannot be. */
  readonly onShown: () => void;
}

/** The pages of an open PDF in one column. Only those near the viewport are mounted. */
export function PageStack({
  file,
  fileName,
  startIndex,
  onPage,
  onProblem,
  onRetry,
  onShown,
}: PageStackProps) {
  const pageCount = Math.min(file.pageCount, MAX_PAGES);
  const { sizes, learn } = usePageSizes(pageCount, file.firstSize);
  const [zoom, setZoom] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const room = availableWidth(width);
  const scale = zoom ?? fitScale(file.firstSize, room);
  const limit = zoom === null ? room : Number.POSITIVE_INFINITY;
  const layout = useMemo(() => layOut(sizes, scale, limit), [sizes, scale, limit]);
  const [start] = useState(startIndex);
  const isMeasured = width > 0;
  const { ref, offset, height, current, scrollTo } = usePageWindow(
    isMeasured ? layout : null,
    start,
    setWidth,
  );
  const stackId = useId();

  useEffect(() => {
    if (isMeasured) onPage(current);
  }, [isMeasured, current, onPage]);

  const [isShown, setIsShown] = useState(false);
  const noteShown = useCallback(() => {
    setIsShown(true);
    onShown();
  }, [onShown]);

  const goTo = (index: number) => scrollTo(topOf(layout, index));
  const step = (direction: 1 | -1) => setZoom(zoomed(scale, direction));

  const followPlace = useCallback(
    async (destination: unknown) => {
      const number = await file.pageOf(destination).catch(() => null);
      if (number !== null) scrollTo(topOf(layout, number - 1));
    },
    [file, layout, scrollTo],
  );

  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyActions[event.key];
    if (!action) return;
    event.preventDefault();
    if (action === "fit") setZoom(null);
    else if (action === "in") step(1);
    else if (action === "out") step(-1);
    else goTo(action === "next" ? current + 1 : current - 1);
  };

  // One page before all others, which would take a part of the connection from it.
  const near = isShown ? pagesBetween(layout, offset - height, offset + 2 * height) : [current];
  return (
    <div
      className={`${windowStyles} flex flex-col max-sm:pointer-coarse:max-h-[calc(var(--pages-height)+3.5rem)]`}
      style={isMeasured ? shrinkTo(layout.height) : undefined}
    >
      <Toolbar
        controls={stackId}
        current={current}
        pageCount={pageCount}
        scale={scale}
        isFitted={zoom === null}
        canZoomIn={canZoom(scale, 1)}
        canZoomOut={canZoom(scale, -1)}
        onPage={goTo}
        onZoom={step}
        onFit={() => setZoom(null)}
      />
      <ScrollRegion
        ref={ref}
        id={stackId}
        aria-label={`Pages of ${fileName}`}
        onKeyDown={handleKey}
        // Always with its bar: a bar that came and went with the height of the pages would change the
        // width they are fitted to, and so their height, for ever.
        className="relative min-h-0 flex-1 overflow-x-auto overflow-y-scroll bg-sunken focus-visible:-outline-offset-2"
      >
        <div
          className="relative mx-auto"
          style={{ width: `max(100%, ${layout.width}px)`, height: layout.height }}
        >
          {(isMeasured ? near : []).map((index) => {
            const box = layout.pages[index];
            return (
              box && (
                <PageView
                  key={index}
                  file={file}
                  number={index + 1}
                  pageCount={pageCount}
                  box={box}
                  onSize={learn}
                  onPlace={followPlace}
                  onShown={noteShown}
                  onProblem={onProblem}
                  onRetry={onRetry}
                />
              )
            );
          })}
        </div>
      </ScrollRegion>
    </div>
  );
}

interface StackStyle extends CSSProperties {
  "--pages-height": string;
}

/**
 * On a phone, the viewer is no higher than its content. Not in a narrow window with a mouse: its
 * scroll bar takes room, and would come and go with the height of the viewer.
 */
const shrinkTo = (height: number): StackStyle => ({ "--pages-height": `${Math.ceil(height)}px` });

const keyActions: Record<string, "in" | "out" | "fit" | "next" | "previous" | undefined> = {
  "+": "in",
  "=": "in",
  "-": "out",
  "0": "fit",
  n: "next",
  p: "previous",
};
