import type { Page } from "playwright-core";

/** Waits until the page shows exactly this text. */
export async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/** Waits for a toast with this text. */
export async function expectToast(page: Page, text: string): Promise<void> {
  await page
    .getByRole("region", { name: /notifications/i })
    .getByText(text, { exact: true })
    .waitFor();
}
