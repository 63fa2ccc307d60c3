import type { LinkArea, PageLink } from "./links";

interface LinkLayerProps {
  readonly links: readonly PageLink[];
  readonly onPlace: (destination: unknown) => void;
}

/** Links of a page, positioned over its picture. */
export function LinkLayer({ links, onPlace }: LinkLayerProps) {
  return links.map((link) => {
    const { left, top, width, height } = link.area;
    const key = `${link.kind} ${left} ${top} ${width} ${height}`;
    return link.kind === "address" ? (
      <a
        key={key}
        href={link.address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={link.address}
        className={areaStyles}
        style={percent(link.area)}
      >
        <span className="sr-only">{link.address}</span>
      </a>
    ) : (
      <button
        key={key}
        type="button"
        className={areaStyles}
        style={percent(link.area)}
        onClick={() => onPlace(link.destination)}
      >
        <span className="sr-only">Go to the linked place in this document</span>
      </button>
    );
  });
}

const areaStyles = "absolute rounded-sm hover:bg-page-focus/12";

const percent = ({ left, top, width, height }: LinkArea) => ({
  left: `${left}%`,
  top: `${top}%`,
  width: `${width}%`,
  height: `${height}%`,
});
