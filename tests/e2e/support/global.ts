import { mkdirSync, rmSync } from "node:fs";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { artifacts } from "./artifacts";
import { launchOptions } from "./chromium";

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

  const browser = await chromium.launchServer(launchOptions());
  project.provide("browserEndpoint", browser.wsEndpoint());
  return () => browser.close();
}
