import { defineConfig } from "vitest/config";

/** `just pages`: one page at a time, because the figures are of time. */
export default defineConfig({
  test: {
    include: ["speed/*.test.ts"],
    globalSetup: "./support/global.ts",
    maxWorkers: 1,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["verbose"],
  },
});
