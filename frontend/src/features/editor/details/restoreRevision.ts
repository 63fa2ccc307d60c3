import { createContext, useContext } from "react";

/** Replaces title and text with those of an earlier revision and saves them. */
type RestoreRevision = (title: string, html: string) => void;

/** Null when nothing can be restored: a published idea, or one without rich text. */
export const RestoreRevisionContext = createContext<RestoreRevision | null>(null);

export const useRestoreRevision = (): RestoreRevision | null => useContext(RestoreRevisionContext);
