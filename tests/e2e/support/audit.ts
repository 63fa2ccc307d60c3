import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { artifacts } from "./artifacts";
import { viewport } from "./browser";

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  resultTypes: ["violations"],
};

/** Only people look at pictures, and taking them takes half a minute: `just e2e` asks for them. */
const pictures = process.env.IDEAVAULT_PICTURES === "1";
const narrowest = 320;
const [narrow, wide] = [375, 1440];

/**
 * Holds what every screen owes every reader: no axe violation in light and dark, no
 * sideways scrolling on the narrowest phone. Leaves pictures among the artifacts, if asked.
 * Every change of width or scheme costs a layout, so there are as few as possible.
 */
export async function audit(page: Page, screen: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  await look(page, { colorScheme: "light", width: wide });
  expect(await violations(page), `${screen}, light`).toEqual([]);
  await picture(page, `${screen}-${wide}-light`);
  await look(page, { width: narrow });
  await picture(page, `${screen}-${narrow}-light`);
  await look(page, { colorScheme: "dark" });
  await picture(page, `${screen}-${narrow}-dark`);
  await look(page, { width: narrowest });
  expect(await tooWide(page), `${screen} at ${narrowest} px`).toEqual([]);
  await look(page, { width: wide });
  expect(await violations(page), `${screen}, dark`).toEqual([]);
  await picture(page, `${screen}-${wide}-dark`);

  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(viewport);
}

interface Look {
  colorScheme?: "light" | "dark";
  width?: number;
}

/** Looks at the open page in another scheme or at another width. */
async function look(page: Page, { colorScheme, width }: Look): Promise<void> {
  if (colorScheme) await page.emulateMedia({ colorScheme });
  if (width) await page.setViewportSize({ width, height: viewport.height });
  await settled(page);
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await page.screenshot({ path: join(artifacts, `${name}.png`), fullPage: true });
}

/**
 * Colours halfway through a transition belong to no design: wait for all that end. One
 * may start the next, as a child inherits what its parent has arrived at.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .filter((animation) => animation.playState === "running");
    const twoFrames = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

    await twoFrames();
    for (let running = ending(); running.length > 0; running = ending()) {
      await Promise.allSettled(running.map((animation) => animation.finished));
      await twoFrames();
    }
  });
}

async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate((options) => window.axe.run(options), rules);
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html}\n${node.failureSummary}`),
  );
}

/** The innermost elements that reach past the window, if the page scrolls sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const reaching = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    );
    const innermost = reaching.filter(
      (element) => !reaching.some((other) => other !== element && element.contains(other)),
    );
    return [
      `${scrollWidth} px wide`,
      ...innermost.slice(0, 5).map((element) => element.outerHTML.slice(0, 200)),
    ];
  });
}
