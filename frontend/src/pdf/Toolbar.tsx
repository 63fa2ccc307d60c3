import { ChevronDown, ChevronUp, MoveHorizontal, ZoomIn, ZoomOut } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "@/ui/IconButton";

interface ToolbarProps {
  /** Id of the element with the pages. */
  readonly controls: string;
  readonly current: number;
  readonly pageCount: number;
  readonly scale: number;
  readonly isFitted: boolean;
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
  readonly onPage: (index: number) => void;
  readonly onZoom: (direction: 1 | -1) => void;
  readonly onFit: () => void;
}

/**
 * Page number and zoom. On a phone below the pages, where space above them is scarce, and at the lower
 * edge of the screen as long as the pages go on below it.
 */
export function Toolbar(props: ToolbarProps) {
  const { controls, current, pageCount, scale, isFitted, onPage, onZoom, onFit } = props;
  return (
    <fieldset
      aria-label="PDF view"
      className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 border-line border-b bg-surface px-2 py-1 max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:order-last max-sm:border-t max-sm:border-b-0 sm:px-3"
    >
      <div className="flex items-center gap-1">
        <IconButton
          label="Previous page"
          aria-controls={controls}
          disabled={current === 0}
          onClick={() => onPage(current - 1)}
          className={`${disabledStyles} max-sm:hidden`}
        >
          <ChevronUp className="size-5" aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Next page"
          aria-controls={controls}
          disabled={current >= pageCount - 1}
          onClick={() => onPage(current + 1)}
          className={`${disabledStyles} max-sm:hidden`}
        >
          <ChevronDown className="size-5" aria-hidden="true" />
        </IconButton>
        <PageNumber current={current} pageCount={pageCount} onPage={onPage} />
      </div>
      <div className="flex items-center gap-1">
        <IconButton
          label="Zoom out"
          aria-controls={controls}
          disabled={!props.canZoomOut}
          onClick={() => onZoom(-1)}
          className={disabledStyles}
        >
          <ZoomOut className="size-5" aria-hidden="true" />
        </IconButton>
        <output aria-label="Zoom" className="w-12 text-center text-sm tabular-nums max-sm:hidden">
          {Math.round(scale * 100)}%
        </output>
        <IconButton
          label="Zoom in"
          aria-controls={controls}
          disabled={!props.canZoomIn}
          onClick={() => onZoom(1)}
          className={disabledStyles}
        >
          <ZoomIn className="size-5" aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Fit width"
          aria-controls={controls}
          aria-pressed={isFitted}
          onClick={onFit}
          className="aria-pressed:bg-sunken aria-pressed:text-ink"
        >
          <MoveHorizontal className="size-5" aria-hidden="true" />
        </IconButton>
      </div>
    </fieldset>
  );
}

const disabledStyles = "disabled:cursor-default disabled:opacity-40";

interface PageNumberProps {
  readonly current: number;
  readonly pageCount: number;
  readonly onPage: (index: number) => void;
}

/** Shows the current page, except while another number is being typed. */
function PageNumber({ current, pageCount, onPage }: PageNumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const number = typed === null ? current + 1 : Number.parseInt(typed, 10);
    setTyped(null);
    if (!Number.isNaN(number)) onPage(Math.min(Math.max(number, 1), pageCount) - 1);
  };
  useEffect(() => {
    // The next digits replace this number.
    if (typed === null && document.activeElement === field.current) field.current?.select();
  });
  return (
    <form onSubmit={submit} noValidate className="flex items-center gap-2 px-1 text-sm">
      <input
        ref={field}
        aria-label="Page"
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? current + 1}
        maxLength={6}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(null)}
        className="min-h-11 w-14 rounded-md border border-line-strong bg-surface px-1 text-center tabular-nums md:min-h-9"
      />
      <span className="whitespace-nowrap text-muted tabular-nums">of {pageCount}</span>
    </form>
  );
}
