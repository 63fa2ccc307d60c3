import type { Share, ShareBody, ShareType } from "@/api/generated";
import { limitsViews } from "@/sharing/shareTypes";
import { changedOptions, defaultOptions, type ShareOptions } from "./shareOptions";

/** The settings of a link. */
export interface ShareSettings extends ShareOptions {
  coverTitle: string;
}

/**
 * The settings of the newest of an idea's links, newest first and whether it has ended or not, or
 * those of a first one.
 */
export const settingsOf = ([newest]: readonly Share[]): ShareSettings => {
  const { showsOtherReaders, allowDownload } = newest ?? defaultOptions;
  return { coverTitle: newest?.coverTitle ?? "", showsOtherReaders, allowDownload };
};

/** The longest texts of a link, in characters. */
export const TEXT_MAX = { name: 120, coverTitle: 200 };
/** Longest message in an invitation, in characters. */
export const MESSAGE_MAX = 300;

/** Form values: texts as typed. Fields that the type does not use are kept but not sent. */
export interface ShareFormValues extends ShareSettings {
  shareType: ShareType;
  name: string;
  expiresAt: string;
  maxViews: string;
  recipientEmail: string;
  message: string;
  replyToMe: boolean;
}

/** Returns what the form for a link begins with. */
export const newShareForm = (
  settings: ShareSettings,
  shareType: ShareType = "one-time",
): ShareFormValues => ({
  shareType,
  name: "",
  expiresAt: "",
  maxViews: "",
  recipientEmail: "",
  message: "",
  replyToMe: false,
  coverTitle: settings.coverTitle,
  showsOtherReaders: settings.showsOtherReaders,
  allowDownload: settings.allowDownload,
});

/**
 * Builds the request body: what the type does not use is null. A name, a cover title or a message is
 * sent only if there is one, and an option only if it is not the default.
 */
export function shareBody(ideaId: number, values: ShareFormValues): ShareBody {
  const name = values.name.trim();
  const coverTitle = values.coverTitle.trim();
  const { shareType, expiresAt, maxViews, recipientEmail } = values;
  const byEmail = shareType === "email";
  const message = byEmail && values.message.trim();
  const timed = shareType === "time-dependent" && expiresAt !== "";
  const limited = limitsViews(shareType) && maxViews !== "";
  return {
    shareType,
    ideaId,
    expiresAt: timed ? new Date(expiresAt).toISOString() : null,
    maxViews: limited ? Number(maxViews) : null,
    recipientEmail: byEmail ? recipientEmail.trim() : null,
    ...(message && { message }),
    ...(byEmail && values.replyToMe && { replyToMe: true }),
    ...(name && { name }),
    ...(coverTitle && { coverTitle }),
    ...changedOptions(values),
  };
}
