import type { Page } from "playwright-core";

/**
 * Waits for fonts and for all animations and transitions, since colours and places in between are not part of the
 * design. One may start the next, when a child inherits the parent's final value.
 */
export function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const ending = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .filter((animation) => animation.playState === "running");
    const twoFrames = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

    await document.fonts.ready;
    await twoFrames();
    for (let running = ending(); running.length > 0; running = ending()) {
      await Promise.allSettled(running.map((animation) => animation.finished));
      await twoFrames();
    }
  });
}

/**
 * Returns the problems of a page, once they are found on a page that did not change meanwhile: a
 * toast may come, or fade in, while it is judged, however slow the machine is. Elements that come
 * and go count as changes and whatever is animated; texts that are counted down do not.
 */
export async function judge(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  for (;;) {
    await settled(page);
    const changes = await page.evaluateHandle(() => {
      let seen = false;
      const note = () => {
        seen = true;
      };
      const hasElements = ({ addedNodes, removedNodes }: MutationRecord) =>
        [...addedNodes, ...removedNodes].some((node) => node instanceof Element);
      const observer = new MutationObserver((records) => records.some(hasElements) && note());
      observer.observe(document, { childList: true, subtree: true });
      const starts = ["animationstart", "transitionrun"];
      for (const start of starts) document.addEventListener(start, note, { capture: true });
      return {
        end() {
          for (const start of starts) document.removeEventListener(start, note, { capture: true });
          if (observer.takeRecords().some(hasElements)) note();
          observer.disconnect();
          const running = document.getAnimations().some(({ effect, playState }) => {
            return effect?.getComputedTiming().endTime !== Infinity && playState === "running";
          });
          return seen || running;
        },
      };
    });
    const found = await look();
    const changed = await changes.evaluate((watch) => watch.end());
    await changes.dispose();
    if (found.length === 0 || !changed) return found;
  }
}
