/** Removes case and accents for comparison. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Returns whether a text has every word of a search, whatever their case and accents. */
export function hasWords(search: string): (text: string) => boolean {
  const words = folded(search).split(/\s/);
  return (text) => words.every((word) => folded(text).includes(word));
}
