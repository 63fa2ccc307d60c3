/*
 * Evaluates React, before anything else and in a task of its own, so that a slow phone can react to
 * people in between: its file is a script of each document (scripts/write-shells.mjs), and React
 * stands in another one (build/chunkGroups.ts).
 */
import "react-dom/client";
