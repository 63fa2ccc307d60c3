import type { Asset } from "@/api/generated";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { messages } from "../messages";
import { AssetTile } from "./AssetTile";
import { Column } from "./Column";

interface AssetsColumnProps {
  assets: readonly Asset[] | undefined;
  retrying: boolean;
  onRetry: () => void;
}

/** Uploaded images (none known: they could not be loaded) with their count, in 2, 3 or 4 columns by screen width (spec section 2). */
export function AssetsColumn({ assets, retrying, onRetry }: AssetsColumnProps) {
  return (
    <Column title="My Assets" count={assets?.length}>
      {!assets && <LoadFailure text={messages.assetsFailed} busy={retrying} onRetry={onRetry} />}
      {assets?.length === 0 && (
        <EmptyState
          title="No assets uploaded yet"
          hint="Images that you add to an idea are listed here."
        />
      )}
      {assets && assets.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
          {assets.map((asset) => (
            <AssetTile key={asset.id} asset={asset} />
          ))}
        </ul>
      )}
    </Column>
  );
}
