import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Visible state of the focused element. */
interface Stop {
  name: string;
  /** Has an outline, or a caret in rich text. */
  isVisible: boolean;
  /** Is not covered by a fixed or sticky element. */
  isUncovered: boolean;
  top: number;
  bottom: number;
  left: number;
  /** Is fixed or sticky, outside the order of the page. */
  isPinned: boolean;
}

const MAX_STOPS = 60;

/**
 * Presses Tab until the target has focus. Expects that each stop on the way shows its focus, is not
 * covered, and is not before the previous one in reading order.
 */
export async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  let before = await stop(page);
  const passed: string[] = [];
  while (!(await hasFocus(target))) {
    await page.keyboard.press(key);
    const here = await stop(page);
    passed.push(here.name);
    expect(passed.length, `stops on the way to ${target}: ${passed.join(" → ")}`).toBeLessThan(
      MAX_STOPS,
    );
    // Transitions and scrolling may take a moment.
    await expect
      .poll(() => stop(page), { message: `focus on ${here.name}` })
      .toMatchObject({ isVisible: true, isUncovered: true });
    if (key === "Tab") expectInOrder(before, here);
    before = here;
  }
}

/** Moves to the target by Tab and presses a key there. */
export async function tabAndPress(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves to the field by Tab and types. */
export async function tabAndType(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Expects Tab to stay inside the open dialog, and Escape to return focus to its opener. */
export async function expectFocusTrap(page: Page, dialog: Locator, opener: Locator): Promise<void> {
  await dialog.waitFor();
  const stops = await dialog.locator("button, a[href], input, textarea").count();
  for (let turn = 0; turn <= stops; turn += 1) {
    expect(await dialog.locator(":focus").count(), `focus in the dialog, Tab ${turn}`).toBe(1);
    expect((await stop(page)).isVisible).toBe(true);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expectFocus(opener);
}

/** Waits until the target has focus. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target), { message: `focus on ${target}` }).toBe(true);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Expects reading order: downwards, or to the right on the same height. */
function expectInOrder(before: Stop, here: Stop): void {
  if (before.isPinned || here.isPinned) return;
  const isAbove = here.bottom <= before.top;
  const isToTheRight = here.left > before.left;
  expect(isAbove && !isToTheRight, `${here.name} comes after ${before.name}`).toBe(false);
}

function stop(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const box = element.getBoundingClientRect();
    const ancestors: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) ancestors.push(at);

    const draws = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) => {
      const isThere = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
      return isThere && outlineColor !== "transparent" && !outlineColor.endsWith(", 0)");
    };
    // A label may have the outline of the radio inside it, a card that of the link that covers it.
    const drawn = [
      ...ancestors.slice(0, 2).map((at) => getComputedStyle(at)),
      getComputedStyle(element, "::after"),
    ];
    const isVisible = drawn.some(draws) || (element as HTMLElement).isContentEditable;

    const middle = {
      x: Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1),
      y: Math.min(Math.max(box.top + Math.min(box.height, innerHeight) / 2, 0), innerHeight - 1),
    };
    const onTop = document.elementFromPoint(middle.x, middle.y);
    const isUncovered =
      onTop !== null && (element.contains(onTop) || onTop.contains(element) || sameLabel(onTop));
    function sameLabel(other: Element) {
      return other.closest("label")?.contains(element) ?? false;
    }

    return {
      name: `${element.tagName} ${element.getAttribute("aria-label") ?? element.id} ${
        element.textContent?.trim().slice(0, 40) ?? ""
      }`,
      isVisible,
      isUncovered,
      top: box.top + scrollY,
      bottom: box.bottom + scrollY,
      left: box.left,
      isPinned:
        element === document.body ||
        ancestors.some((at) => ["fixed", "sticky"].includes(getComputedStyle(at).position)),
    };
  });
}
