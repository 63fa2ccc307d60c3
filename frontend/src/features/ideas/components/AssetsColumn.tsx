import { useRef, useState } from "react";
import type { Asset } from "@/api/generated";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { ShowMore } from "@/ui/ShowMore";
import { messages } from "../messages";
import { AssetTile } from "./AssetTile";
import { Column } from "./Column";
import { DeleteAssetDialog } from "./DeleteAssetDialog";

/** Images shown at first, and added each time. */
const PAGE = 12;

interface AssetsColumnProps {
  assets: readonly Asset[] | undefined;
  retrying: boolean;
  onRetry: () => void;
}

/**
 * Uploaded images with their count, in 2, 3 or 4 columns by screen width. `assets` is absent when
 * they could not be loaded.
 */
export function AssetsColumn({ assets, retrying, onRetry }: AssetsColumnProps) {
  const [toDelete, setToDelete] = useState<Asset | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Column title="My Assets" count={assets?.length} headingRef={heading}>
      {!assets && <LoadFailure text={messages.assetsFailed} busy={retrying} onRetry={onRetry} />}
      {assets?.length === 0 && (
        <EmptyState
          title="No assets uploaded yet"
          hint="Images that you add to your ideas appear here."
        />
      )}
      {assets && assets.length > 0 && (
        <ShowMore rows={assets} first={PAGE} step={PAGE} of="My Assets">
          {(shown) => (
            <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
              {shown.map((asset) => (
                <AssetTile key={asset.id} asset={asset} onDelete={setToDelete} />
              ))}
            </ul>
          )}
        </ShowMore>
      )}
      <DeleteAssetDialog
        asset={toDelete}
        onClose={() => setToDelete(null)}
        focusAfterDelete={heading}
      />
    </Column>
  );
}
