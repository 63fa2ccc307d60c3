import { lazyComponent } from "@/ui/lazyComponent";
/** Lazy dialogs of the editor, fetched while the page is idle. */

/** Loads the code of every dialog. */
export const loadQuestions = () => Promise.all([load(), loadConflict()]);

const load = () => import("./questions");
const loadConflict = () => import("./ConflictDialogWindow");

/** Asks for confirmation to publish. */
export const PublishQuestion = lazyComponent(load, "PublishQuestion");

/** Asks for confirmation to leave unsaved changes. */
export const LeaveQuestion = lazyComponent(load, "LeaveQuestion");

/** Asks which version to keep when the idea was saved elsewhere meanwhile. */
export const ConflictQuestion = lazyComponent(loadConflict, "ConflictDialogWindow");
