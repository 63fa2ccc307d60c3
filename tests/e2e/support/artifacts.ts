import { fileURLToPath } from "node:url";

/** Screenshots and server logs of the last run, for people to look at; git ignores them. */
export const artifacts = fileURLToPath(new URL("../artifacts/", import.meta.url));
