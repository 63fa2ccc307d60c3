/*
 * The code of every page is evaluated in several short tasks, so that a slow phone can react to
 * people in between. React comes first, from a chunk of its own: see vite.config.ts.
 */
import "react-dom/client";
import { nextTask } from "./nextTask";

await nextTask();
