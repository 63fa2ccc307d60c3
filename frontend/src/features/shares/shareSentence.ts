/** What a new link will do, in words. */
import { limitsViews } from "@/sharing/shareTypes";
import { formatDateTime } from "@/ui/dates";
import { messages } from "./messages";
import type { ShareFormValues, ShareSettings } from "./shareForm";

/**
 * Says who may open the link, what it asks for, and what it allows; null while a limit is half typed
 * or refused.
 */
export function shareSentence(values: ShareFormValues, now = new Date()): string | null {
  const { shareType, recipientEmail, maxViews, expiresAt, allowDownload } = values;
  const count = limitsViews(shareType) && maxViews !== "" ? Number(maxViews) : null;
  if (count !== null && !/^[1-9]\d{0,8}$/.test(maxViews)) return null;
  const end = shareType === "time-dependent" && expiresAt !== "" ? new Date(expiresAt) : null;
  if (end !== null && !(end > now)) return null;

  const agreement = `the ${messages.agreement}`;
  const reads = allowDownload ? "reads or downloads it" : "reads it";
  const anyone = `Anyone with the link can register, accepts ${agreement}, and ${reads}`;
  switch (shareType) {
    case "one-time": {
      if (count === null || count === 1) {
        return `The first person who accepts ${agreement} and opens the idea ${reads}, once.`;
      }
      const read = allowDownload ? "read or download it" : "read it";
      return `The first ${count} people who accept ${agreement} and open the idea ${read}, once each.`;
    }
    case "time-dependent": {
      const until = end === null ? "for seven days" : `until ${formatDateTime(end)}`;
      const views = count === null ? "" : `, ${count} ${count === 1 ? "time" : "times"} in all`;
      return `${anyone} ${until}${views}.`;
    }
    case "full-access":
      return `${anyone} until you revoke the link.`;
    case "email": {
      const address = recipientEmail.trim();
      const who = address.includes("@") ? address : "the person whose address you enter";
      return `Only ${who} can register, with a code that we mail there, accepts ${agreement}, and ${reads} until you revoke the link.`;
    }
  }
}

/** Says in a line which of the folded settings are set. */
export function settingsLine({ coverTitle, showsOtherReaders, allowDownload }: ShareSettings) {
  const title = coverTitle.trim();
  return [
    messages.agreement,
    title && `shown as \u201c${title}\u201d until they agree`,
    allowDownload ? "downloads" : "no downloads",
    showsOtherReaders && "comments of other readers",
  ]
    .filter(Boolean)
    .join(" \u00b7 ");
}
