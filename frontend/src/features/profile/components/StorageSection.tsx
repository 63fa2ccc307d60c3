import { useGetStorageQuery } from "@/api/enhanced";
import { formatBytes } from "@/ui/bytes";
import { Panel } from "@/ui/Panel";

/** Storage used, and the quota. */
export function StorageSection() {
  const { data } = useGetStorageQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const { usedBytes, quotaBytes } = data;
  const used = `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} used`;
  const percent = quotaBytes === 0 ? 100 : Math.min(100, (usedBytes / quotaBytes) * 100);
  return (
    <Panel title="Storage">
      {/* Decoration: the text below says the same. */}
      <div
        aria-hidden="true"
        className="h-2 overflow-hidden rounded-full bg-sunken forced-colors:border"
      >
        <div
          className="h-full rounded-full bg-primary forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none"
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="mt-2 text-sm tabular-nums">{used}</p>
      <p className="mt-1 text-muted text-sm">
        Ideas, their earlier versions, PDFs and images all count.
      </p>
    </Panel>
  );
}
