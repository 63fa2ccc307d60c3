import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { artifacts } from "./artifacts";
import { viewport } from "./browser";
import { judge, settled } from "./settled";

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

/** Screenshots are for people only and take half a minute: `just e2e` enables them. */
const pictures = process.env.IDEAVAULT_PICTURES === "1";
const narrowest = 320;
const [narrow, wide] = [375, 1440];

/**
 * Audits a screen: no axe violations in light and dark, and no sideways scrolling on the narrowest
 * phone. Takes screenshots if enabled. Every change of width or scheme costs a layout, so there are
 * few.
 */
export async function audit(page: Page, screen: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  await setAppearance(page, { colorScheme: "light", width: wide });
  expect(await violations(page), `${screen}, light`).toEqual([]);
  await picture(page, `${screen}-${wide}-light`);
  await setAppearance(page, { width: narrow });
  await picture(page, `${screen}-${narrow}-light`);
  await setAppearance(page, { colorScheme: "dark" });
  await picture(page, `${screen}-${narrow}-dark`);
  await setAppearance(page, { width: narrowest });
  expect(await overflowingElements(page), `${screen} at ${narrowest} px`).toEqual([]);
  await setAppearance(page, { width: wide });
  expect(await violations(page), `${screen}, dark`).toEqual([]);
  await picture(page, `${screen}-${wide}-dark`);

  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(viewport);
}

interface Appearance {
  colorScheme?: "light" | "dark";
  width?: number;
}

/** Changes the colour scheme or the width of the open page. */
async function setAppearance(page: Page, { colorScheme, width }: Appearance): Promise<void> {
  if (colorScheme) await page.emulateMedia({ colorScheme });
  if (width) await page.setViewportSize({ width, height: viewport.height });
  await settled(page);
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await settled(page);
  await page.screenshot({ path: join(artifacts, `${name}.png`), fullPage: true });
}

function violations(page: Page): Promise<string[]> {
  return judge(page, async () => {
    const found = await page.evaluate((options) => window.axe.run(options), rules);
    return found.violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id} (${help}): ${node.html}\n${node.failureSummary}`),
    );
  });
}

/** Returns the innermost elements wider than the window, if the page scrolls sideways. */
function overflowingElements(page: Page): Promise<string[]> {
  return judge(page, () => page.evaluate(widest));
}

function widest(): string[] {
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
}
