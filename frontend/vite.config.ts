import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { pdfjsFiles } from "./build/pdfjsFiles.ts";

const router = fileURLToPath(
  new URL("./node_modules/react-router/dist/production/", import.meta.url),
);

export default defineConfig(({ command }) => ({
  plugins: [react(), tailwindcss(), pdfjsFiles()],
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      // The package has a production build, but names it in no condition that a bundler sets.
      ...(command === "build"
        ? [
            { find: /^react-router$/, replacement: `${router}index.mjs` },
            { find: /^react-router\/dom$/, replacement: `${router}dom-export.mjs` },
          ]
        : []),
    ],
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": "http://127.0.0.1:8080" },
  },
  build: {
    manifest: true,
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for what every page has.
            { name: "base", tags: ["$initial"], priority: 1 },
            // Small pieces that most signed-in pages have: each file of its own costs bytes.
            { name: "pieces", test: /src\/ui\/(Alert|Badge|ConfirmDialog|Panel)\.tsx/ },
          ],
        },
        // As .mjs, the worker would depend on servers and proxies knowing that this is JavaScript.
        assetFileNames: ({ names: [name = ""] }) =>
          name.endsWith(".mjs") ? "assets/[name]-[hash].js" : "assets/[name]-[hash][extname]",
      },
    },
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://localhost:3000" } },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./src/testing/setup.ts"],
    restoreMocks: true,
    // Only for what hangs for good: no test is to depend on how fast the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
}));
