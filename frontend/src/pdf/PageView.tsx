import { type CSSProperties, memo, useEffect, useRef, useState } from "react";
import type { PdfFile, PdfPage } from "./engine";
import type { PageBox, Size } from "./geometry";
import { LinkLayer } from "./LinkLayer";
import type { PageLink } from "./links";
import { type PdfProblem, problemOf } from "./loading";
import { messages } from "./messages";
import { useSettled } from "./useSettled";

interface PageViewProps {
  readonly file: PdfFile;
  readonly number: number;
  readonly pageCount: number;
  readonly box: PageBox;
  readonly onSize: (number: number, size: Size) => void;
  readonly onPlace: (destination: unknown) => void;
  readonly onProblem: (problem: PdfProblem) => void;
  readonly onRetry: () => void;
}

interface PageStyle extends CSSProperties {
  "--total-scale-factor": number;
}

/** One page: canvas, text layer and link layer. */
export const PageView = memo(function PageView(props: PageViewProps) {
  const { file, number, pageCount, box, onSize, onPlace, onRetry } = props;
  const { page, failure, fail } = usePage(file, number, onSize, props.onProblem);
  const drawnScale = useSettled(box.scale);
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
            <Picture page={page} scale={drawnScale} onError={fail} />
            <Text page={page} onError={fail} />
            <Links page={page} onPlace={onPlace} />
          </>
        )
      )}
    </section>
  );
});

/** Loads a page while it is near the viewport and releases it afterwards. */
function usePage(
  file: PdfFile,
  number: number,
  onSize: PageViewProps["onSize"],
  onProblem: PageViewProps["onProblem"],
) {
  const [page, setPage] = useState<PdfPage | null>(null);
  const [failure, setFailure] = useState<PdfProblem | null>(null);
  const isHere = useRef(true);

  const [fail] = useState(() => (error: unknown) => {
    if (!isHere.current) return;
    const problem = problemOf(error);
    setFailure(problem);
    if (problem === "gone") onProblem(problem);
  });

  useEffect(() => {
    isHere.current = true;
    let read: PdfPage | null = null;
    file.page(number).then((found) => {
      read = found;
      if (!isHere.current) return found.release();
      onSize(number, found.size);
      setPage(found);
    }, fail);
    return () => {
      isHere.current = false;
      read?.release();
    };
  }, [file, number, onSize, fail]);

  return { page, failure, fail };
}

interface LayerProps {
  readonly page: PdfPage;
  readonly onError: (error: unknown) => void;
}

function Picture({ page, scale, onError }: LayerProps & { readonly scale: number }) {
  const holder = useRef<HTMLDivElement>(null);
  const [lacksPicture, setLacksPicture] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    page.draw(scale, stop.signal).then((drawing) => {
      if (!drawing || stop.signal.aborted) return;
      const { canvas } = drawing;
      setLacksPicture(drawing.lacksPicture);
      canvas.className = "size-full";
      const [old] = holder.current?.children ?? [];
      holder.current?.replaceChildren(canvas);
      free(old);
    }, onError);
    return () => stop.abort();
  }, [page, scale, onError]);

  useEffect(() => {
    const element = holder.current;
    return () => free(element?.firstElementChild);
  }, []);

  return (
    <>
      <div ref={holder} aria-hidden="true" className="absolute inset-0" />
      {lacksPicture && (
        <p className="absolute inset-x-0 top-0 bg-page-ink px-3 py-1.5 text-center text-sm text-white">
          {messages.pictureFailed}
        </p>
      )}
    </>
  );
}

/** Sets the size to 0: some browsers keep the memory of a canvas until then. */
function free(canvas: Element | null | undefined) {
  if (canvas instanceof HTMLCanvasElement) {
    canvas.width = 0;
    canvas.height = 0;
  }
}

function Text({ page, onError }: LayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const [hasText, setHasText] = useState(true);

  useEffect(() => {
    const element = layer.current;
    if (!element) return;
    const stop = new AbortController();
    page.writeText(element, stop.signal).then(
      (found) => {
        if (!stop.signal.aborted) setHasText(found);
      },
      (error) => {
        if (!stop.signal.aborted) onError(error);
      },
    );
    return () => {
      stop.abort();
      element.replaceChildren();
    };
  }, [page, onError]);

  return (
    <>
      <div ref={layer} className="pdf-text" />
      {!hasText && <p className="sr-only">{messages.noText}</p>}
    </>
  );
}

function Links({ page, onPlace }: { page: PdfPage; onPlace: (destination: unknown) => void }) {
  const [links, setLinks] = useState<readonly PageLink[]>([]);

  useEffect(() => {
    let isHere = true;
    page.links().then(
      (found) => {
        if (isHere) setLinks(found);
      },
      // A page is useful without its links.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [page]);

  return <LinkLayer links={links} onPlace={onPlace} />;
}
