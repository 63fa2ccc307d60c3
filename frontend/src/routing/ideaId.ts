/** Returns the id of an idea in an address; null if the text is no id. */
export function parseIdeaId(text: string | undefined): number | null {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
