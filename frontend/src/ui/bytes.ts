const units = [
  { name: "TB", size: 1e12 },
  { name: "GB", size: 1e9 },
  { name: "MB", size: 1e6 },
  { name: "kB", size: 1e3 },
] as const;

/** Formats a number of bytes, in units of a thousand: '1.5 MB'. */
export function formatBytes(bytes: number): string {
  const { name, size } = units.find((unit) => bytes >= unit.size) ?? { name: "kB", size: 1e3 };
  return `${(Math.floor((bytes / size) * 10) / 10).toLocaleString("en-US")} ${name}`;
}
