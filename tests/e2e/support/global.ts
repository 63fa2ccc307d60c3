import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { artifacts } from "./artifacts";

declare module "vitest" {
  export interface ProvidedContext {
    chromium: string;
  }
}

/** Empties the artifacts of the last run and finds the browser once for all specs. */
export default function setup(project: TestProject): void {
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });

  const install = fileURLToPath(new URL("../../install.sh", import.meta.url));
  const chromium = execFileSync(install, ["--print-chromium"], { encoding: "utf8" }).trim();
  project.provide("chromium", chromium);
}
