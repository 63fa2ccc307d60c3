/** A place that the answer refers to. */
export interface Source {
  url: string;
  /** Host name: what a reader can judge it by. */
  host: string;
}

/** Spec section 9. */
const SHOWN = 3;

/** The first citations that are web addresses; each once; other schemes are dropped: they come from outside. */
export function sourcesOf(citations: readonly string[]): Source[] {
  const sources = new Map(citations.flatMap(toSource).map((source) => [source.url, source]));
  return [...sources.values()].slice(0, SHOWN);
}

function toSource(citation: string): Source[] {
  if (!URL.canParse(citation)) return [];
  const { protocol, hostname, href } = new URL(citation);
  return protocol === "https:" || protocol === "http:" ? [{ url: href, host: hostname }] : [];
}
