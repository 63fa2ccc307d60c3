import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { artifacts } from "./artifacts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the browser that all specs share. */
    browserEndpoint: string;
  }
}

/** Empties the artifacts of the last run and starts the browser that all specs share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });

  const install = fileURLToPath(new URL("../../install.sh", import.meta.url));
  const browser = await chromium.launchServer({
    executablePath: execFileSync(install, ["--print-chromium"], { encoding: "utf8" }).trim(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  project.provide("browserEndpoint", browser.wsEndpoint());
  return () => browser.close();
}
