import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { pdfjsFiles } from "./build/pdfjsFiles.ts";

const router = fileURLToPath(
  new URL("./node_modules/react-router/dist/production/", import.meta.url),
);

/** The files of tests below src, by whether they put something in place of modules. */
function testFiles({ mocking }: { mocking: boolean }): string[] {
  const source = fileURLToPath(new URL("./src/", import.meta.url));
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter((file) => /vi\.(mock|doMock)\(/.test(readFileSync(source + file, "utf8")) === mocking)
    .map((file) => `src/${file}`);
}

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
    setupFiles: ["./src/testing/setup.ts"],
    restoreMocks: true,
    // Only for what hangs for good: no test is to depend on how fast the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Loading the application takes half of the processor's time if each file does so for itself.
    // Only files that replace modules need modules of their own.
    projects: [
      {
        extends: true,
        test: { name: "shared", include: testFiles({ mocking: false }), isolate: false },
      },
      { extends: true, test: { name: "mocking", include: testFiles({ mocking: true }) } },
    ],
  },
}));
