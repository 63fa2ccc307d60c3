/** A change of a library's source, for what the library has no setting for. */
export interface Change {
  readonly find: RegExp;
  readonly replacement: string;
}

/**
 * Applies each change once.
 *
 * @throws if a text is not found, so that an upgrade which changes it fails the build.
 */
export function changed(source: string, changes: readonly Change[]): string {
  return changes.reduce((text, { find, replacement }) => {
    if (!find.test(text)) throw missing(find);
    return text.replace(find, replacement);
  }, source);
}

/**
 * Applies a change wherever its text stands.
 *
 * @throws if it stands nowhere.
 */
export function changedAll(source: string, { find, replacement }: Change): string {
  const text = source.replaceAll(find, replacement);
  if (text === source) throw missing(find);
  return text;
}

export const missing = (find: RegExp) => new Error(`The source does not contain ${find} any more`);
