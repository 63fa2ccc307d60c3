/**
 * Loads the font of documents before a page needs it. It is optional: text that is laid out before
 * it has arrived stays in another one. Never rejects.
 */
export async function loadTextFont(): Promise<void> {
  if (!("fonts" in document)) return;
  await document.fonts.load('1em "Source Serif 4 Variable"').catch(() => []);
}
