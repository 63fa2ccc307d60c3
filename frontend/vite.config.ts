import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { chunkGroups } from "./build/chunkGroups.ts";
import { pageRoutes } from "./build/pageRoutes.ts";
import { pdfjsFiles, pdfjsLicence, pdfjsSource } from "./build/pdfjsFiles.ts";

const router = fileURLToPath(
  new URL("./node_modules/react-router/dist/production/", import.meta.url),
);

/** Test files below src, split by whether they mock modules. */
function testFiles({ mocking }: { mocking: boolean }): string[] {
  const source = fileURLToPath(new URL("./src/", import.meta.url));
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter((file) => /vi\.(mock|doMock)\(/.test(readFileSync(source + file, "utf8")) === mocking)
    .map((file) => `src/${file}`);
}

export default defineConfig(({ command }) => ({
  plugins: [react(), tailwindcss(), pageRoutes(), pdfjsFiles(), pdfjsSource()],
  worker: {
    format: "es",
    plugins: () => [pdfjsSource()],
    rolldownOptions: { output: { postBanner: pdfjsLicence } },
  },
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      // The package has a production build, but no export condition that selects it.
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
    // What is bundled, for the SBOM of a release (deploy/release/sbom.mjs).
    license: { fileName: ".vite/packages.json" },
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: chunkGroups,
        },
        // With .mjs, the worker would depend on the media type that servers and proxies send.
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
    // Only for tests that never end: no test depends on the speed of the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Loading the application once per file would take half of the CPU time. Only files that mock
    // modules need isolation.
    projects: [
      {
        extends: true,
        test: { name: "shared", include: testFiles({ mocking: false }), isolate: false },
      },
      { extends: true, test: { name: "mocking", include: testFiles({ mocking: true }) } },
    ],
  },
}));
