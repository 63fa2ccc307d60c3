import { useRef, useState } from "react";
import type { Asset } from "@/api/generated";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { messages } from "../messages";
import { AssetTile } from "./AssetTile";
import { Column } from "./Column";
import { DeleteAssetDialog } from "./DeleteAssetDialog";

/** How many images show at first, and how many more each time. */
const PAGE = 12;

interface AssetsColumnProps {
  assets: readonly Asset[] | undefined;
  retrying: boolean;
  onRetry: () => void;
}

/** Uploaded images (none known: they could not be loaded) with their count, in 2, 3 or 4 columns by screen width (spec section 2). */
export function AssetsColumn({ assets, retrying, onRetry }: AssetsColumnProps) {
  const [shown, setShown] = useState(PAGE);
  const [doomed, setDoomed] = useState<Asset | null>(null);
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
        <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
          {assets.slice(0, shown).map((asset) => (
            <AssetTile key={asset.id} asset={asset} onDelete={setDoomed} />
          ))}
        </ul>
      )}
      {assets && assets.length > shown && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4 w-full"
          onClick={() => setShown(shown + PAGE)}
        >
          Show more ({assets.length - shown})<span className="sr-only"> of My Assets</span>
        </Button>
      )}
      <DeleteAssetDialog
        asset={doomed}
        onClose={() => setDoomed(null)}
        focusAfterDelete={heading}
      />
    </Column>
  );
}
