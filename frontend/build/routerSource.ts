import type { Plugin } from "vite";
import { changed, changedAll } from "./changedSource.ts";

/**
 * Vite plugin that leaves out of React Router what only its framework mode and its React Server
 * Components use, and instrumentation. What nothing refers to afterwards, the bundler removes.
 */
export function routerSource(): Plugin {
  return {
    name: "router-source",
    transform: {
      filter: {
        id: /\/react-router\/dist\/production\/chunk-\w+\.mjs$/,
        code: /^function createRouter\(/m,
      },
      handler: (code) => ({ code: reduced(code), map: null }),
    },
  };
}

function reduced(source: string): string {
  const changes = changed(source, [
    // Only the framework mode knows which files a page will need.
    {
      find: /^function usePrefetchBehavior\([\s\S]*?^\}$/m,
      replacement: "function usePrefetchBehavior() { return [false, null, {}]; }",
    },
    {
      find: /^function PrefetchPageLinks\([\s\S]*?^\}$/m,
      replacement: "const PrefetchPageLinks = null;",
    },
    {
      find: /return [^\n]*createElement\(RSCErrorHandler, \{ error \}, result\);/,
      replacement: "return result;",
    },
  ]);
  const plain = changedAll(changes, {
    find: /\binit\.instrumentations\b/g,
    replacement: "undefined",
  });
  return removable(plain);
}

/** Marks components as removable: the bundler assumes that defining one might do something else. */
function removable(source: string): string {
  const unnamed = changedAll(source, { find: /^\w+\.displayName = ".*";$/gm, replacement: "" });
  const called = changedAll(unnamed, {
    find: /(?<== )(?=React\d*\.(?:createContext|forwardRef|memo)\()/g,
    replacement: "/* @__PURE__ */ ",
  });
  return changedAll(called, {
    find: /^(var \w+ = )(class extends React\d*\.Component \{[\s\S]*?^\});$/gm,
    replacement: "$1/* @__PURE__ */ (() => $2)();",
  });
}
