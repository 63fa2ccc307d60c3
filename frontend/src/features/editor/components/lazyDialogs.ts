/** Lazy dialogs of the editor, fetched while the page is idle. */
import { lazyComponent } from "@/ui/lazyComponent";

/** Loads the code of every dialog. */
export const loadDialogs = () => Promise.all([load(), loadConflict()]);

const load = () => import("./confirmDialogs");
const loadConflict = () => import("./ConflictDialogWindow");

/** Asks for confirmation to publish. */
export const PublishDialog = lazyComponent(load, "PublishDialog");

/** Asks for confirmation to leave unsaved changes. */
export const LeaveDialog = lazyComponent(load, "LeaveDialog");

/** Asks which version to keep when the idea was saved elsewhere meanwhile. */
export const ConflictDialog = lazyComponent(loadConflict, "ConflictDialogWindow");
