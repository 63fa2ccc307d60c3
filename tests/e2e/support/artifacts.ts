import { fileURLToPath } from "node:url";

/** Folder of the last run's screenshots and server logs, ignored by git. */
export const artifacts = fileURLToPath(new URL("../artifacts/", import.meta.url));
