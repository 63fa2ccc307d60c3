import { ImageOff } from "lucide-react";
import { useState } from "react";
import type { Asset } from "@/api/generated";

/** One uploaded image. Only this server's own files are shown, and one that is gone says so. */
export function AssetTile({ asset }: { asset: Asset }) {
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
      <p className="truncate px-2 py-1.5 text-muted text-xs" title={asset.fileName}>
        {asset.fileName}
      </p>
    </li>
  );
}
