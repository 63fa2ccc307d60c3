/** What a new link will do, in words. */
import { limitsViews } from "@/sharing/shareTypes";
import { formatDateTime } from "@/ui/dates";
import { messages } from "./messages";
import { chosenSettings, type ShareFormValues, type ShareSettings } from "./shareForm";

/** Says in one sentence who may open the link, what it asks for, and what it allows. */
export function shareSentence(values: ShareFormValues, start: ShareSettings): string {
  const { shareType, recipientEmail, maxViews } = values;
  const { allowDownload } = chosenSettings(values, start);
  const isLimited = limitsViews(shareType) && /^[1-9]\d{0,8}$/.test(maxViews);
  const count = isLimited ? Number(maxViews) : null;
  const agrees = `accepts the ${messages.agreement}`;
  const reads = allowDownload ? "reads or downloads it" : "reads it";
  const anyone = `Anyone with the link can register, ${agrees}, and ${reads}`;
  switch (shareType) {
    case "one-time": {
      if (count === null || count === 1) return `The first person who ${agrees} ${reads}, once.`;
      const read = allowDownload ? "read or download it" : "read it";
      return `The first ${count} people who accept the ${messages.agreement} ${read}, once each.`;
    }
    case "time-dependent": {
      const views = count === null ? "" : `, ${count} ${count === 1 ? "time" : "times"} in all`;
      return `${anyone} ${untilWhen(values)}${views}.`;
    }
    case "full-access":
      return `${anyone} until you revoke the link.`;
    case "email": {
      const who = recipientEmail.trim() || "the person whose address you enter";
      return `Only ${who} can register, with a code that we mail there, ${agrees}, and ${reads} until you revoke the link.`;
    }
  }
}

function untilWhen({ expiresAt }: ShareFormValues): string {
  const end = new Date(expiresAt);
  return Number.isNaN(end.getTime()) ? "for seven days" : `until ${formatDateTime(end)}`;
}

/** Says in a line which of the folded settings are set. */
export const settingsLine = ({ coverTitle, showsOtherReaders, allowDownload }: ShareSettings) =>
  [
    messages.agreement,
    coverTitle.trim() && "cover title",
    allowDownload ? "downloads" : "no downloads",
    showsOtherReaders && "comments of other readers",
  ]
    .filter(Boolean)
    .join(" \u00b7 ");
