import type { Notice } from "@/api/generated";

/**
 * Formats a notice as one sentence. Names are in quotation marks: a recipient chose
 * their own, and the owner that of the share.
 */
export function sentence({ kind, recipientName, shareName, count }: Notice): string {
  const who = recipientName
    ? `“${recipientName}”`
    : count === 1
      ? "Another reader"
      : `${count} other readers`;
  const times = count === 1 ? "" : ` (${count} times)`;
  const link = shareName && `“${shareName}”`;
  const onLink = link ? ` on ${link}` : "";
  switch (kind) {
    case "agreed":
      return `${who} accepted the agreement${onLink}.`;
    case "first-read":
      return `${who} opened the idea for the first time${link ? ` through ${link}` : ""}.`;
    case "commented":
      return recipientName && count > 1
        ? `${who} left ${count} comments${onLink}.`
        : `${who} left a comment${onLink}.`;
    case "declined":
      return `${who} declined the agreement${onLink}.`;
    case "refused":
      return `${who} tried to open ${link ? `the link ${link}, which` : "a link that"} has ended${recipientName ? times : ""}.`;
    case "wrong-address":
      return `Somebody entered an email address that your link${link ? ` ${link}` : ""} is not for${times}.`;
    case "wrong-code":
      return `Somebody entered too many wrong codes${onLink}${times}.`;
    case "used-up":
      return `All views of ${link ?? "a link"} have been used.`;
    case "one-view-left":
      return `${link ?? "A link"} has one view left.`;
    case "ending-soon":
      return `${link ?? "A link"} ends within a day.`;
    case "answered":
      return `${who} got a reply${onLink}.`;
  }
}
