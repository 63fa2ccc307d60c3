import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PublicRecord } from "@/api/generated";
import { respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";

const record: PublicRecord = {
  documentId: "IV-7K3M-Q9TX-2B4N",
  publishedAt: "2026-11-20T10:14:03.000000Z",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  state: "recorded",
  log: "vault.example.org/log1",
  index: 12,
  anchors: [],
  hasWitnesses: true,
};
const call = "/api/record/IV-7K3M-Q9TX-2B4N";

const open = (over: Partial<PublicRecord> = {}) => {
  respondWith("get", call, 200, { ...record, ...over });
  return renderRoute("/record/IV-7K3M-Q9TX-2B4N");
};

test("says what is on record, and what that proves and does not", async () => {
  open();
  expect(await screen.findByText("IV-7K3M-Q9TX-2B4N")).toBeVisible();
  expect(screen.getByText(record.sha256)).toBeVisible();
  expect(screen.getByText("November 20, 2026, 10:14:03 UTC")).toBeVisible();
  expect(screen.getByText("No. 12 of vault.example.org/log1")).toBeVisible();
  expect(
    screen.getByText("Recorded by this server. Nobody else has confirmed the time."),
  ).toBeVisible();
  expect(await screen.findByRole("img", { name: "Recorded by this server" })).toBeVisible();
  expect(screen.getByText(/does not say who wrote the document/)).toBeVisible();
});

/** The content of which the record has the SHA-256. */
const CONTENT = "test";

test.each([
  ["the file itself", CONTENT, "This is the document on record, byte for byte."],
  [
    "a page that holds it",
    `<main><p>Shown</p><!-- ideavault-content ${btoa("x")} --><!-- ideavault-content ${btoa(CONTENT)} --></main>`,
    "This page holds the text on record, byte for byte.",
  ],
  ["another file", "tests", "This is another file than the one on record."],
  [
    "a page that holds something else",
    "<!-- ideavault-content AAAA --><!-- ideavault-content A -->",
    "This is another file than the one on record.",
  ],
])("compares %s, which nobody gets", async (_, content, answer) => {
  const { user } = open({
    sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  });
  const input = await screen.findByLabelText("Document to compare");
  const asked = vi.spyOn(globalThis, "fetch");
  await user.upload(input as HTMLInputElement, new File([content], "kettle.html"));
  expect(await screen.findByText(answer)).toBeVisible();
  expect(screen.getByText("kettle.html")).toBeVisible();
  const save = screen.queryByRole("button", { name: "Save the recorded text" });
  expect(save === null).toBe(!answer.includes("holds"));
  expect(asked).not.toHaveBeenCalled();
});

test("says that no witness is set up", async () => {
  open({ hasWitnesses: false });
  expect(
    await screen.findByText(
      "Recorded by this server. No outside witness is set up on this vault, so nobody else confirms the time.",
    ),
  ).toBeVisible();
});

test("names who has confirmed the time", async () => {
  open({
    state: "confirmed",
    anchors: [
      {
        kind: "tsa",
        name: "freetsa.org",
        state: "confirmed",
        time: "2026-11-20T10:15:00.000000Z",
        block: null,
      },
      {
        kind: "ots",
        name: "calendar.example",
        state: "confirmed",
        time: "2026-11-20T12:00:00.000000Z",
        block: 871234,
      },
      { kind: "ots", name: "other.example", state: "pending", time: null, block: 871230 },
    ],
  });
  expect(
    await screen.findByText("Confirmed by freetsa.org at November 20, 2026, 10:15:00 UTC."),
  ).toBeVisible();
  expect(
    screen.getByText("In Bitcoin block 871234, at most November 20, 2026, 12:00:00 UTC."),
  ).toBeVisible();
  expect(screen.queryByText(/871230/)).toBeNull();
  expect(await screen.findByRole("img", { name: "In the Bitcoin blockchain" })).toBeVisible();
  expect(screen.queryByText(/Recorded by this server/)).toBeNull();
});

test("a record that is off is missing", async () => {
  respondWith("get", call, 404, { message: "Not found" });
  renderRoute("/record/IV-7K3M-Q9TX-2B4N");
  expect(await screen.findByText("There is no such record")).toBeVisible();
});

test("a record that could not be loaded is loaded again on request", async () => {
  respondWith("get", call, 503, { message: "Please come back later." });
  const { user } = renderRoute("/record/IV-7K3M-Q9TX-2B4N");
  const retry = await screen.findByRole("button", { name: "Try again" });
  respondWith("get", call, 200, record);
  await user.click(retry);
  expect(await screen.findByText(record.sha256)).toBeVisible();
});
