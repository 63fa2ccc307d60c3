import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");

/** Elements of HTML whose text is for machines, or to be compared letter by letter. */
function machineTexts(file: string): string[] {
  const found: string[] = [];
  new Visitor({
    JSXOpeningElement({ name, attributes }: ESTree.JSXOpeningElement) {
      if (name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name)) return;
      const text = (attribute: string) =>
        attributes.flatMap((each) =>
          each.type === "JSXAttribute" &&
          each.name.name === attribute &&
          each.value?.type === "Literal"
            ? [String(each.value.value)]
            : [],
        )[0] ?? "";
      const isMachineText = name.name === "code" || /\bfont-mono\b/.test(text("className"));
      if (isMachineText && text("translate") !== "no") found.push(`${file}: ${name.name}`);
    },
  }).visit(parseSync(file, readFileSync(join(src, file), "utf8")).program);
  return found;
}

test("codes, digests, ids and commands ask translators to leave them alone", () => {
  const screens = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"),
  );
  expect(screens.length).toBeGreaterThan(100);
  expect(screens.flatMap(machineTexts)).toEqual([]);
});
