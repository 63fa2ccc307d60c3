import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["specs/*.test.ts"],
    globalSetup: "./support/global.ts",
    // A spec spends half of its time waiting for its server and its browser.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["verbose", "../vitest-summary.js"],
  },
});
