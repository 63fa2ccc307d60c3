import { EmptyState } from "@/ui/EmptyState";
import { Column } from "./Column";

/** Uploaded images, with their count. Nothing can be uploaded yet, so it is empty. */
export function AssetsColumn() {
  return (
    <Column title="My Assets" count={0}>
      <EmptyState title="No assets uploaded yet" />
    </Column>
  );
}
