import type { Comment, Recipient, SharedIdea } from "@/api/generated";

/** The server's agreement in its real layout, with shorter clauses. */
export const NDA_TEXT = `NON-DISCLOSURE AGREEMENT

Agreement:        IdeaVault NDA, version 1.1
Idea:             "A kettle: that waits"
Idea number:      7
Disclosing Party: "Ada Lovelace"
Receiving Party:  "Grace Hopper"
Email address:    grace@example.org

The Disclosing Party is about to disclose the idea named above.

${Array.from({ length: 8 }, (_, index) => `${index + 1}. Clause name. Body of clause ${index + 1}. It’s kept.`).join("\n\n")}

Acknowledgement. By choosing "I Agree", the Receiving Party confirms having read this agreement.
`;

export const aRecipient = (over: Partial<Recipient> = {}): Recipient => ({
  id: "7e0a4c0e-1111-4222-8333-444455556666",
  name: "Grace Hopper",
  email: "grace@example.org",
  phone: null,
  agreedToNda: false,
  ...over,
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
  nda: stage === "nda" ? { version: "1.1", sha256: "0".repeat(64), text: NDA_TEXT } : null,
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
