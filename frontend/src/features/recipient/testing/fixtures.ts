import type { Comment, EndedVisit, Nda, Recipient, SharedIdea } from "@/api/generated";

/** The server's agreement, with shorter clauses and a shorter text. */
export const anAgreement: Nda = {
  version: "1.1",
  title: "NON-DISCLOSURE AGREEMENT",
  terms: [
    { label: "Agreement", value: "IdeaVault NDA, version 1.1" },
    { label: "Idea", value: '"A kettle: that waits"' },
    { label: "Receiving Party", value: '"Grace Hopper"' },
  ],
  preamble: ["The Disclosing Party is about to disclose the idea named above."],
  clauses: [
    ...Array.from({ length: 8 }, (_, index) => ({
      heading: `${index + 1}. Clause name`,
      body: `Body of clause ${index + 1}. It’s kept.`,
    })),
    {
      heading: "Acknowledgement",
      body: 'By choosing "I Agree", the Receiving Party confirms having read this agreement.',
    },
  ],
  text: 'NON-DISCLOSURE AGREEMENT\n\nIdea:             "A kettle: that waits"\n\nIt’s kept.\n',
  sha256: "0".repeat(64),
};

export const aRecipient = (over: Partial<Recipient> = {}): Recipient => ({
  id: "7e0a4c0e-1111-4222-8333-444455556666",
  name: "Grace Hopper",
  email: "grace@example.org",
  phone: null,
  agreedToNda: false,
  ...over,
});

/** Response to a look-up of a link by a recipient who had agreed and may not read now. */
export const anEndedVisit = (reason: EndedVisit["reason"]) => ({
  message: "Your visit has ended.",
  ended: { reason, at: "2026-11-21T10:00:00.000000Z", recipientId: aRecipient().id },
});

export const aComment = (over: Partial<Comment> = {}): Comment => ({
  id: "c0",
  recipientId: null,
  author: "Ada Lovelace",
  content: "Please tell me what you think.",
  createdAt: "2026-11-20T10:00:00.000000Z",
  editedAt: null,
  withdrawnAt: null,
  replyTo: null,
  ...over,
});

interface Overrides extends Partial<Omit<SharedIdea, "idea">> {
  idea?: Partial<SharedIdea["idea"]>;
}

/** Response to a look-up of a link at one stage. */
export const aSharedIdea = (
  stage: SharedIdea["stage"],
  { idea, ...over }: Overrides = {},
): SharedIdea => ({
  shareType: "full-access",
  allowDownload: true,
  stage,
  recipient: stage === "collect" ? null : aRecipient({ agreedToNda: stage === "open" }),
  verification: stage === "verify" ? { expiresIn: 600, triesLeft: 5, resendIn: 60 } : null,
  nda: stage === "nda" ? anAgreement : null,
  viewEndsAt: stage === "open" ? new Date(Date.now() + 30 * 60_000).toISOString() : null,
  ...over,
  idea: {
    id: 7,
    title: "A kettle that waits",
    documentId: null,
    status: "draft",
    user: { name: "Ada Lovelace" },
    content: stage === "open" ? "<p>Water wicks up.</p>" : null,
    ...idea,
  },
});
