import type { Locator, Page } from "playwright-core";
import type { Upload } from "../support/files";
import { expectText, expectToast } from "./common";

export interface Account {
  name: string;
  email: string;
  password: string;
}

export async function register(page: Page, account: Account): Promise<void> {
  await page.goto("/register");
  await page.getByLabel("Full Name").fill(account.name);
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByLabel("Confirm Password").fill(account.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expectToast(page, "Account created successfully! Please log in.");
  await page.waitForURL("/login");
}

export async function logIn(page: Page, account: Account): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expectToast(page, "You have been logged in successfully!");
  await page.waitForURL("/dashboard");
  await expectText(page, "Idea Portfolio");
}

/** Returns the rich text of the open idea. */
export function body(page: Page) {
  return page.locator("[contenteditable=true]");
}

/** Presses Create Idea and returns the new idea's id. */
export async function createIdea(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Create Idea" }).click();
  await expectToast(page, "Idea created successfully");
  await page.waitForURL(/\/editor\/\d+$/);
  return Number(page.url().split("/").pop());
}

/** Confirms the dialog of Publish. */
export async function confirmPublishing(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish idea" }).click();
  await expectToast(page, "Idea published successfully");
  await expectText(
    page,
    "This idea has been published and is now read-only. Published ideas cannot be edited.",
  );
}

/** Creates a link of a type on the share screen and returns it. */
export async function createLink(page: Page, type: RegExp): Promise<string> {
  await page.getByRole("radio", { name: type }).check();
  await page.getByRole("button", { name: "Generate Share Link" }).click();
  await expectToast(page, "Share link created successfully!");
  const link = page.locator("input[readonly]");
  await link.waitFor();
  return link.inputValue();
}

/** Picks a PDF in the file chooser that the dashboard's button opens. */
export async function choosePdf(page: Page, file: Upload): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload PDF" }).click();
  await (await choosing).setFiles(file);
}

/** Picks an image in the file chooser that the editor's toolbar opens. */
export async function chooseImage(page: Page, file: Upload): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add image" }).click();
  await (await choosing).setFiles(file);
}

/** Opens one section of the panel under the editor and returns it. */
export async function openDetails(page: Page, section: string): Promise<Locator> {
  const details = page.getByRole("region", { name: "Idea details" });
  await details.getByRole("button", { name: section, exact: true }).click();
  return details;
}
