import type { Page } from "playwright-core";

/** Waits until the page shows exactly this text. */
export async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/**
 * Waits for a toast with this text, also one that is gone by now: on a slow machine, five seconds are
 * over before anybody looks. Each toast counts once.
 */
export async function expectToast(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const at = window.shownToasts.indexOf(wanted);
    if (at >= 0) window.shownToasts.splice(at, 1);
    return at >= 0;
  }, text);
}
