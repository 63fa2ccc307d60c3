import type { Page } from "playwright-core";

export interface Details {
  name: string;
  email: string;
  phone?: string;
}

export async function giveDetails(page: Page, details: Details): Promise<void> {
  await page.getByLabel(/name/i).fill(details.name);
  await page.getByLabel(/email/i).fill(details.email);
  if (details.phone) await page.getByLabel(/phone/i).fill(details.phone);
  await submitDetails(page);
}

export async function submitDetails(page: Page): Promise<void> {
  await page.locator("form button[type=submit]").click();
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
}

/** Returns the scrolling region of the NDA screen. */
export function agreement(page: Page) {
  return page.getByRole("region", { name: /agreement/i });
}

/** Scrolls to the end by keyboard and accepts the agreement. */
export async function agree(page: Page): Promise<void> {
  await agreement(page).focus();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "I Agree" }).click();
}

export async function comment(page: Page, text: string): Promise<void> {
  await commentBox(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

export function commentBox(page: Page) {
  return page.getByRole("textbox", { name: /comment/i });
}
