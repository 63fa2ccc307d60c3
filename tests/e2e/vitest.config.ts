import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["specs/*.test.ts"],
    globalSetup: "./support/global.ts",
    // One browser at a time: two cores serve it and the server.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ["verbose", "../vitest-summary.js"],
  },
});
