import workerAddress from "pdf-worker?url";
import { loadEngine } from "./loadEngine";

/**
 * Fetches all of it for a PDF that may come, unless the reader asked for data to be saved. A
 * failure shows itself when it is really asked for.
 */
export const fetchEngine = () => {
  if (savesData()) return;
  // Where a thread that is started finds it: in the browser's cache.
  fetch(workerAddress, { priority: "low" }).catch(() => undefined);
  loadEngine().catch(() => undefined);
};

function savesData(): boolean {
  const { connection }: Navigator & { readonly connection?: { saveData?: boolean } } = navigator;
  return connection?.saveData === true;
}
