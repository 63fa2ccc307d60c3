/** The layers of one page: picture, text and links. */
import { useEffect, useRef, useState } from "react";
import type { PdfPage } from "./enginePage";
import { LinkLayer } from "./LinkLayer";
import type { PageLink } from "./links";
import { messages } from "./messages";

interface LayerProps {
  readonly page: PdfPage;
  readonly onError: (error: unknown) => void;
}

interface PictureProps extends LayerProps {
  readonly scale: number;
  readonly onDrawn: () => void;
}

/** The drawing of a page. */
export function PagePicture({ page, scale, onDrawn, onError }: PictureProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [lacksPicture, setLacksPicture] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    page.draw(scale, stop.signal).then(
      (drawing) => {
        if (!drawing || stop.signal.aborted) return free(drawing?.canvas);
        const { canvas } = drawing;
        setLacksPicture(drawing.lacksPicture);
        canvas.className = "size-full";
        const [old] = holder.current?.children ?? [];
        holder.current?.replaceChildren(canvas);
        free(old);
        // Once it is on the screen: what follows takes the main thread.
        requestAnimationFrame(() => setTimeout(onDrawn));
      },
      (error) => {
        if (!stop.signal.aborted) onError(error);
      },
    );
    return () => stop.abort();
  }, [page, scale, onDrawn, onError]);

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

/** The text of a page, for selection and screen readers. */
export function PageText({ page, onError }: LayerProps) {
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
      {/* Nobody would see a translation: the letters are those of the picture. */}
      <div ref={layer} translate="no" className="pdf-text" />
      {!hasText && <p className="sr-only">{messages.noText}</p>}
    </>
  );
}

/** The links of a page. */
export function PageLinks({
  page,
  onPlace,
}: {
  page: PdfPage;
  onPlace: (destination: unknown) => void;
}) {
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
