/*
 * Evaluates RTK Query, which is most of what pages of creators and recipients load besides their own
 * code: see
 * src/app/evaluateApi.ts. It stands in a file of its own (build/chunkGroups.ts).
 */
import "@reduxjs/toolkit/query/react";
