import { expect, test } from "vitest";
import { collectSchema } from "./schema";

const accepts = (name: string) =>
  collectSchema.isValid({ name, email: "rita@example.org", phone: "" });

test.each(["王伟", "김수", "あい", "리 아", "Anna-Maria O'Neill", "J.R.R. Tolkien", "Zoe"])(
  "%s is a whole name",
  async (name) => {
    expect(await accepts(name)).toBe(true);
  },
);

test.each(["王", "김".normalize("NFD"), "Bo", "Юл", " 王 ", ""])(
  "%o is too short",
  async (name) => {
    expect(await accepts(name)).toBe(false);
  },
);
