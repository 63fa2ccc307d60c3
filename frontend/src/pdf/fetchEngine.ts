import { loadEngine } from "./loadEngine";
import { workerAddress } from "./worker";

/**
 * Prefetches pdf.js and its worker for a PDF that may come, unless the reader has asked to save
 * data. A failure is ignored here and reported at the actual load.
 */
export const fetchEngine = () => {
  if (savesData()) return;
  // In the browser's cache, where a new worker finds it.
  fetch(workerAddress, { priority: "low" }).catch(() => undefined);
  loadEngine().catch(() => undefined);
};

function savesData(): boolean {
  const { connection }: Navigator & { readonly connection?: { saveData?: boolean } } = navigator;
  return connection?.saveData === true;
}
