/*
 * English times in the reader's time zone. Written without `Intl`, whose first formatter takes every
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
    half: hours < 12 ? "AM" : "PM",
  };
}

/** Formats as "Nov 21, 2026, 11:04 AM". */
export function formatDateTime(at: string | Date): string {
  const { month, dayAndYear, time, half } = parts(at);
  return `${month.slice(0, 3)} ${dayAndYear}, ${time} ${half}`;
}

/** Formats as "November 21, 2026 at 11:04:09 AM". */
export function formatDateTimeSeconds(at: string | Date): string {
  const { month, dayAndYear, time, seconds, half } = parts(at);
  return `${month} ${dayAndYear} at ${time}:${seconds} ${half}`;
}
