import type { Page } from "playwright-core";

/** Finds text in the text layer of a PDF's page. */
export function textLayer(page: Page, words: string | RegExp) {
  return page.locator(".pdf-text").getByText(words);
}

/** Whether a page has been drawn: its canvas is not blank. */
export function isDrawn(page: Page, number: number): Promise<boolean> {
  return page
    .getByRole("region", { name: new RegExp(`^Page ${number} of`) })
    .locator("canvas")
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      // Ink: an opaque pixel that is dark.
      return pixels.some(
        (value, index) => index % 4 === 0 && value < 64 && pixels[index + 3] === 255,
      );
    });
}
