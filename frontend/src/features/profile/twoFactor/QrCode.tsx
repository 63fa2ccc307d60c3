/** Quiet zone of four modules, which scanners need on each side. */
const QUIET_ZONE = 4;

/** Builds one path of the dark runs of each row: `1` is a dark module. */
function pathOf(rows: string[]): string {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
      ),
    )
    .join("");
}

/** A QR code, dark on light in either theme: not every scanner reads the inverse. */
export function QrCode({ rows, label }: { rows: string[]; label: string }) {
  const size = rows.length + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-md border border-line bg-page text-page-ink"
    >
      <path d={pathOf(rows)} fill="currentColor" />
    </svg>
  );
}
