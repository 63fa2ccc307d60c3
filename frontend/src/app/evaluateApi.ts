import { nextTask } from "./nextTask";

/**
 * Evaluates what the pages of creators and recipients call the server with, in tasks of their own. Otherwise the first
 * module that imports it would evaluate all of it in one task, during which a slow phone does not
 * react. A failure is reported where it is needed.
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
