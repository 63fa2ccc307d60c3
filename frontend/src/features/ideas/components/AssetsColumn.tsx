import type { useListAssetsQuery } from "@/api/enhanced";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { messages } from "../messages";
import { AssetTile } from "./AssetTile";
import { Column } from "./Column";

type AssetsColumnProps = Pick<
  ReturnType<typeof useListAssetsQuery>,
  "data" | "isError" | "isFetching" | "refetch"
>;

/** Uploaded images with their count, in 2, 3 or 4 columns by screen width (spec section 2). */
export function AssetsColumn({ data, isError, isFetching, refetch }: AssetsColumnProps) {
  const failed = isError && !data;
  return (
    <Column title="My Assets" count={data?.length}>
      {failed && <LoadFailure text={messages.assetsFailed} busy={isFetching} onRetry={refetch} />}
      {data?.length === 0 && <EmptyState title="No assets uploaded yet" />}
      {data && data.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
          {data.map((asset) => (
            <AssetTile key={asset.id} asset={asset} />
          ))}
        </ul>
      )}
    </Column>
  );
}
