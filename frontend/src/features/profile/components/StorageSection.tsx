import { useGetStorageQuery } from "@/api/enhanced";
import { formatBytes } from "@/ui/bytes";
import { Panel } from "@/ui/Panel";

/** How much the account stores, and how much it may. */
export function StorageSection() {
  const { data } = useGetStorageQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const { usedBytes, quotaBytes } = data;
  const used = `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} used`;
  return (
    <Panel title="Storage">
      <progress
        aria-label="Storage"
        value={Math.min(usedBytes, quotaBytes)}
        max={Math.max(quotaBytes, 1)}
        className="h-2 w-full overflow-hidden rounded-full accent-primary"
      />
      <p className="mt-2 text-muted text-sm tabular-nums">{used}</p>
      <p className="mt-1 text-muted text-sm">
        Ideas with their earlier revisions, imported PDFs and images count.
      </p>
    </Panel>
  );
}
