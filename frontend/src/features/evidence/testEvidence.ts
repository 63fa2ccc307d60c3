/** Helpers of the tests of the page of evidence. */
import { screen, within } from "@testing-library/react";
import type { Evidence } from "@/api/evidence";
import type { EvidenceAnchor } from "@/api/generated";
import { respondWith } from "@/testing/api";
import { someEvidence } from "@/testing/evidence";
import { renderRoute } from "@/testing/render";

/** A time-stamping authority that has confirmed. */
export const authority: EvidenceAnchor = {
  kind: "tsa",
  name: "freetsa.org",
  state: "confirmed",
  time: "2026-11-20T10:15:00.000000Z",
  block: null,
};
/** A calendar whose block was checked. */
export const calendar: EvidenceAnchor = {
  kind: "ots",
  name: "calendar.example",
  state: "confirmed",
  time: "2026-11-20T12:00:00.000000Z",
  block: 871234,
};
/** Fields of the evidence of a recorded version. */
export const onRecord = {
  onRecord: true,
  index: 12,
  recordedAt: "2026-11-20T10:14:03.000000Z",
} satisfies Partial<Evidence>;

/** Answers the call for the evidence. */
export const serve = (over: Partial<Evidence> = {}) =>
  respondWith("get", "/api/ideas/7/evidence", 200, someEvidence(over));

/** Opens the page of evidence. */
export async function open() {
  const app = renderRoute("/evidence/7");
  await screen.findByRole("heading", { level: 1, name: /Self-watering planter/ });
  return app;
}

/** Returns state and title of each confirmation beside the seal. */
export const steps = () =>
  within(screen.getByRole("list", { name: "Who vouches for the time" }))
    .getAllByRole("listitem")
    .map((step) => [step.dataset.state, step.querySelector("p")?.textContent]);
