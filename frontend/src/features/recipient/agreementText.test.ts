import { expect, test } from "vitest";
import { parseAgreement } from "./agreementText";
import { NDA_TEXT } from "./testing/fixtures";

test("finds the title, the terms, eight clauses and the acknowledgement", () => {
  const { title, parts } = parseAgreement(NDA_TEXT);
  expect(title).toBe("NON-DISCLOSURE AGREEMENT");
  expect(parts.map(({ kind }) => kind)).toEqual(["terms", "paragraph", ...Array(9).fill("clause")]);
  expect(parts[0]).toMatchObject({
    terms: expect.arrayContaining([{ label: "Idea", value: '"A kettle: that waits"' }]),
  });
  expect(parts[2]).toMatchObject({
    heading: "1. Clause name",
    body: "Body of clause 1. It’s kept.",
  });
  expect(parts[10]).toMatchObject({ heading: "Acknowledgement" });
});

test("keeps every word of an unknown layout", () => {
  const { title, parts } = parseAgreement("Agreement\n\nfree text\nin two lines\n\n9) odd");
  expect(title).toBe("Agreement");
  expect(parts).toMatchObject([
    { kind: "paragraph", body: "free text\nin two lines" },
    { kind: "paragraph", body: "9) odd" },
  ]);
});
