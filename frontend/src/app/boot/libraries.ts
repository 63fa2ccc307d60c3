/* The other libraries of every page; the next task evaluates the application itself. */
import "react-redux";
import "react-router";
import { nextTask } from "./nextTask";

await nextTask();
