/** What the editor may have to ask: code that is fetched while the page is idle. */
import { lazy } from "react";

/** Fetches the code of every question. */
export const loadQuestions = () => Promise.all([load(), loadConflict()]);

const load = () => import("./questions");
const loadConflict = () => import("./ConflictDialogWindow");

/** Whether to publish. */
export const PublishQuestion = lazy(async () => ({
  default: (await load()).PublishQuestion,
}));

/** Whether to leave unsaved changes behind. */
export const LeaveQuestion = lazy(async () => ({
  default: (await load()).LeaveQuestion,
}));

/** Which of two versions goes on, when the idea was saved elsewhere meanwhile. */
export const ConflictQuestion = lazy(async () => ({
  default: (await loadConflict()).ConflictDialogWindow,
}));
