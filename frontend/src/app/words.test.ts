import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");
const rules = readFileSync(resolve(src, "../../docs/rules.md"), "utf8");

/** Words that docs/rules.md#words has another one for. */
const section = /<a id="words"><\/a>.*?(?=<a id=)/s.exec(rules)?.[0] ?? "";
const rows = [...section.matchAll(/^\| [^|]+ \| [^|]+ \| (`.*`) \|$/gm)].map(([, words]) => words);
const words = rows.flatMap((row) => row?.split(", ").map((word) => word.replaceAll("`", "")) ?? []);
const otherWords = new RegExp(`\\b(${words.join("|")})\\b`, "i");

/** What the specification words like this, and what means something else. */
const allowed = [
  "Active Share Links",
  "Create New Share Link",
  "Generate Share Link",
  "Share Link Ready",
  "Share link copied to clipboard!",
  "Share link created successfully!",
  "Failed to create share link. Please try again.",
  "Failed to verify the share link",
  "Recipient Email",
  "Login",
  "Back to Login",
  "Log Out",
  "Logout",
  "You have been logged in successfully!",
  "Account created successfully! Please log in.",
  "You have been successfully logged out.",
  "You have been logged out successfully.",
  "Failed to logout. Please try again.",
  "These are not hashes.",
];
const otherMeanings =
  /argon2id hash(es)?|hashes of random|recovery codes as hashes|stored only as a hash/g;

/** Texts of a source that people may see: with a space, or where nothing but texts stands. */
function textsOf(file: string): string[] {
  const found: string[] = [];
  const isTable = /essages\.ts$/.test(file);
  const add = (text: string) => {
    const line = text.replace(/\s+/g, " ").trim();
    if (line.includes(" ") || (isTable && /^[A-Z]/.test(line))) found.push(line);
  };
  new Visitor({
    Literal: ({ value }: ESTree.Expression & { value?: unknown }) => {
      if (typeof value === "string") add(value);
    },
    TemplateLiteral: ({ quasis }: ESTree.TemplateLiteral) =>
      add(quasis.map(({ value }) => value.cooked).join("…")),
    JSXText: ({ value }: ESTree.JSXText) => found.push(value.replace(/\s+/g, " ").trim()),
  }).visit(parseSync(file, readFileSync(join(src, file), "utf8")).program);
  return found;
}

test("texts have one word for one thing", () => {
  expect(words.length).toBeGreaterThan(20);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.test\.tsx?$|\.d\.ts$|^api\/generated|testing\/|\/test[A-Z]/.test(file),
  );
  const texts = files.flatMap((file) => textsOf(file).map((text) => ({ file, text })));
  expect(texts.length).toBeGreaterThan(1000);
  const wrong = texts.filter(
    ({ text }) => !allowed.includes(text) && otherWords.test(text.replace(otherMeanings, "")),
  );
  expect(wrong).toEqual([]);
  // What is gone from the texts is gone from the list.
  expect(allowed.filter((each) => !texts.some(({ text }) => text === each))).toEqual([]);
});
