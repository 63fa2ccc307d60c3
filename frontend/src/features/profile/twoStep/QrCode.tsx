/** Readers want a quiet zone of four modules on each side. */
const QUIET = 4;

/** The dark runs of each row as one path: `1` is a dark module. */
function pathOf(rows: string[]): string {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
      ),
    )
    .join("");
}

/** A QR code, dark on light in either theme: not every reader takes it the other way round. */
export function QrCode({ rows, label }: { rows: string[]; label: string }) {
  const size = rows.length + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-md border border-line bg-page text-page-ink"
    >
      <path d={pathOf(rows)} fill="currentColor" />
    </svg>
  );
}
