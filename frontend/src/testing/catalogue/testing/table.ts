import { expect, test } from "vitest";

/**
 * Runs one test per row of a list. A table that lacks one of the `names` does not compile, and
 * fails a test too.
 */
export function eachRow<Name extends string, Row>(
  section: string,
  names: readonly Name[],
  table: Readonly<Record<Name, Row>>,
  run: (row: Row, name: Name) => void | Promise<void>,
): void {
  test(`${section}: the table has every row`, () => {
    expect(Object.keys(table).toSorted()).toEqual([...names].toSorted());
  });
  test.each(names.map((name) => [name] as const))(`${section}, %s`, async (name) => {
    await run(table[name], name);
  });
}
