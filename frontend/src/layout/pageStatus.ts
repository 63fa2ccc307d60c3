import { createContext } from "react";

/** What a document waits for that shows its page already, but does not react yet. */
export const PageStatusContext = createContext<string | null>(null);
