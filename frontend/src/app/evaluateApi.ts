import { nextTask } from "./nextTask";

/**
 * Evaluates what the pages of creators and recipients call the server with, in tasks of their own. Otherwise the first
 * module that imports it would evaluate all of it in one task, in which a slow phone reacts to
 * nothing. Whoever needs it reports that it cannot be loaded.
 */
export async function evaluateApi(): Promise<void> {
  try {
    await import("@/api/query");
    await nextTask();
    await import("@/api/enhanced");
    await nextTask();
  } catch {
    // Imported again, and reported, by the loader of the route.
  }
}
