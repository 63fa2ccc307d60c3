import type { Evidence, EvidenceEvent } from "@/api/evidence";

const digit = (index: number) => (index % 16).toString(16);

/** An event of an idea, as its owner sees it. */
export const anEvent = (over: Partial<EvidenceEvent> = {}): EvidenceEvent => {
  const index = over.index ?? 12;
  return {
    index,
    log: "vault.example.org/log1",
    type: "revision.recorded",
    at: "2026-11-20T10:14:03.000000Z",
    revision: 1,
    share: null,
    shareName: null,
    shareType: null,
    recipient: null,
    name: null,
    email: null,
    comment: null,
    file: null,
    facts: {},
    isDamaged: false,
    digest: `${digit(index)}${"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0"}`,
    body: `{"at":"2026-11-20T10:14:03.000000Z","idea":"7","v":1}`,
    ...over,
  };
};

/** The evidence of an idea that nobody put on record or shared, unless told otherwise. */
export const someEvidence = (over: Partial<Evidence> = {}): Evidence => ({
  state: "recorded",
  log: {
    origin: "vault.example.org/log1",
    size: 1234,
    vkey: "vault.example.org/log1+ab12cd34+AQ9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2",
  },
  revision: 1,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  onRecord: false,
  publicRecord: false,
  index: null,
  recordedAt: null,
  anchors: [],
  hasWitnesses: false,
  events: [],
  next: null,
  ...over,
});
