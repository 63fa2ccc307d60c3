/*
 * English times in the reader's time zone, which they name: a time is often compared with one of a
 * mail or a document, which is in UTC. Written without `Intl`, whose first formatter takes every
 * page of a slow phone 80 ms.
 */

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

function parts(at: string | Date) {
  const date = new Date(at);
  const hours = date.getHours();
  return {
    month: months[date.getMonth()] ?? "",
    dayAndYear: `${date.getDate()}, ${date.getFullYear()}`,
    time: `${hours % 12 || 12}:${twoDigits(date.getMinutes())}`,
    seconds: twoDigits(date.getSeconds()),
    half: `${hours < 12 ? "AM" : "PM"} ${zoneAt(date)}`,
  };
}

/** Names the reader's time zone at that time as "GMT+1", "GMT-3:30" or "UTC". */
export function zoneAt(date: Date): string {
  const offset = -date.getTimezoneOffset();
  if (offset === 0) return "UTC";
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `GMT${offset < 0 ? "-" : "+"}${hours}${minutes ? `:${twoDigits(minutes)}` : ""}`;
}

/** Formats as "Nov 21, 2026, 11:04 AM GMT+1". */
export function formatDateTime(at: string | Date): string {
  const { month, dayAndYear, time, half } = parts(at);
  return `${month.slice(0, 3)} ${dayAndYear}, ${time} ${half}`;
}

/** Formats as "November 21, 2026 at 11:04:09 AM GMT+1". */
export function formatDateTimeSeconds(at: string | Date): string {
  const { month, dayAndYear, time, seconds, half } = parts(at);
  return `${month} ${dayAndYear} at ${time}:${seconds} ${half}`;
}
