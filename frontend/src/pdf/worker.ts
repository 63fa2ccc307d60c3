import workerAddress from "pdf-worker?url";

/**
 * Starts the thread that reads PDFs. It is a module of its own, so that the worker's code can
 * travel beside the rest instead of after it.
 */
export const startWorker = () => new Worker(workerAddress, { type: "module", name: "pdf" });

/** Brings the worker's code into the browser's cache, where the one that is started finds it. */
export const preloadWorker = () => {
  fetch(workerAddress, { priority: "low" }).catch(() => undefined);
};
