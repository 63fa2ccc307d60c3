const dateTime = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const dateTimeSeconds = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium" });

/** "Nov 21, 2026, 11:04 AM" in the reader's time zone. */
export const formatDateTime = (at: string | Date): string => dateTime.format(new Date(at));

/** The same to the second. */
export const formatDateTimeSeconds = (at: string | Date): string =>
  dateTimeSeconds.format(new Date(at));
