import { setupServer } from "msw/node";

/** The fake server of all tests. It answers nothing by itself: each test says what it needs. */
export const server = setupServer();
