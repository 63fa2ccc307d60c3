import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LaunchOptions } from "playwright-core";

/** Returns the options that start the browser. */
export function launchOptions(): LaunchOptions {
  const install = fileURLToPath(new URL("../../install.sh", import.meta.url));
  return {
    executablePath: execFileSync(install, ["--print-chromium"], { encoding: "utf8" }).trim(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}
