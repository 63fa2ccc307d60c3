/** A source that the response cites. */
interface Source {
  url: string;
  /** Host name, by which a reader can judge the source. */
  host: string;
}

/** Most sources shown. */
const MAX_SOURCES = 3;

/**
 * Returns the first citations that are web addresses, without duplicates. Citations are untrusted:
 * other schemes are dropped.
 */
export function sourcesOf(citations: readonly string[]): Source[] {
  const sources = new Map(citations.flatMap(toSource).map((source) => [source.url, source]));
  return [...sources.values()].slice(0, MAX_SOURCES);
}

function toSource(citation: string): Source[] {
  // A host has to follow: "https:page" is no address.
  if (!/^\s*https?:\/\//i.test(citation) || !URL.canParse(citation)) return [];
  const { protocol, hostname, href } = new URL(citation);
  return protocol === "https:" || protocol === "http:" ? [{ url: href, host: hostname }] : [];
}
