import { useGetStorageQuery } from "@/api/enhanced";
import { formatBytes } from "@/ui/bytes";

/** Fraction of the quota from which the notice is shown. */
const NOTICE_FROM = 0.8;

/** Warns that the account's storage is nearly used up. */
export function StorageNotice() {
  const { data } = useGetStorageQuery();
  if (!data || data.usedBytes < data.quotaBytes * NOTICE_FROM) return null;
  const isFull = data.usedBytes >= data.quotaBytes;
  return (
    <p
      role="status"
      className="mt-6 rounded-md border border-line bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <span className="font-semibold">
        {isFull ? "Your storage is full." : "Your storage is almost full."}
      </span>{" "}
      {formatBytes(data.usedBytes)} of {formatBytes(data.quotaBytes)} are used. Delete drafts or
      images that you no longer need.
    </p>
  );
}
