import { ImageOff, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Asset } from "@/api/generated";
import { IconButton } from "@/ui/IconButton";

interface AssetTileProps {
  asset: Asset;
  onDelete: (asset: Asset) => void;
}

/** One uploaded image. Only this server's own files are shown; a missing file is reported. */
export function AssetTile({ asset, onDelete }: AssetTileProps) {
  const [broken, setBroken] = useState(!asset.filePath.startsWith("/api/files/"));
  return (
    <li className="min-w-0 overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex aspect-square items-center justify-center bg-sunken text-muted">
        {broken ? (
          <ImageOff className="size-6" role="img" aria-label={`${asset.fileName}, not available`} />
        ) : (
          <img
            src={asset.filePath}
            alt={asset.fileName}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setBroken(true)}
          />
        )}
      </div>
      <div className="flex items-center justify-between gap-1 pl-2">
        <p className="min-w-0 truncate text-muted text-xs" title={asset.fileName}>
          {asset.fileName}
        </p>
        <IconButton
          label={`Delete ${asset.fileName}`}
          data-tooltip="Delete"
          className="hover:text-danger"
          onClick={() => onDelete(asset)}
        >
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}
