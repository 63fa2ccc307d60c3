import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = import.meta.glob<string>("/src/**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Tailwind's default colours, which the theme removes: such a class has no effect. */
const PALETTE = /\b(?:text|bg|border|fill|stroke|outline)-(white|black|[a-z]+-[1-9]\d{1,2})\b/g;

const tokens = readFileSync("src/ui/styles/tokens.css", "utf8");

test("every named colour of a class is one of ours", () => {
  const used = Object.values(sources).flatMap((source) =>
    Array.from(source.matchAll(PALETTE), ([, name]) => name),
  );
  expect(used).toContain("white");
  for (const name of new Set(used)) expect(tokens).toContain(`--color-${name}: `);
});
