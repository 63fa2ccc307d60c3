import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["specs/*.test.ts"],
    globalSetup: "./support/global.ts",
    // A spec spends half of its time waiting for its server and its browser.
    maxWorkers: 2,
    // Only for specs that never end: other tests run beside them.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["verbose", "../vitest-summary.js"],
  },
});
