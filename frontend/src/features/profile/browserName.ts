const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

// Android and iOS first: they also call themselves Linux and Mac.
const systems: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

const nameIn = (names: [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** "Firefox on Linux", as far as the browser tells. */
export function browserName(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent ?? "") ?? "Unknown browser";
  const system = nameIn(systems, userAgent ?? "");
  return system ? `${browser} on ${system}` : browser;
}
