import { Column } from "./Column";

/** Uploaded images, with their count. Nothing can be uploaded yet, so it is empty. */
export function AssetsColumn() {
  return <Column title="My Assets" count={0} emptyText="No assets uploaded yet" />;
}
