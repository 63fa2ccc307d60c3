import type { Notice } from "@/api/generated";

/** Formats a notice as one sentence. A name is in quotation marks, since its reader chose it. */
export function sentence({ kind, recipientName, count }: Notice): string {
  const who = recipientName
    ? `“${recipientName}”`
    : count === 1
      ? "Another reader"
      : `${count} other readers`;
  const times = count === 1 ? "" : ` (${count} times)`;
  switch (kind) {
    case "agreed":
      return `${who} accepted the agreement.`;
    case "first-read":
      return `${who} opened the idea for the first time.`;
    case "commented":
      return recipientName && count > 1
        ? `${who} left ${count} comments.`
        : `${who} left a comment.`;
    case "declined":
      return `${who} declined the agreement.`;
    case "refused":
      return recipientName
        ? `${who} tried to open a link that has ended${times}.`
        : `Somebody entered an address or a code that your link does not accept${times}.`;
    case "used-up":
      return "All views of a link have been used.";
    case "one-view-left":
      return "A link has one view left.";
    case "ending-soon":
      return "A link ends within a day.";
    case "answered":
      return `${who} got a reply.`;
  }
}
