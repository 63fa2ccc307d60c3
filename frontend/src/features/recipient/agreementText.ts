/** One block of the agreement. The text itself is never changed. */
export type AgreementPart = { id: string } & AgreementBlock;

type AgreementBlock =
  | { kind: "terms"; terms: { label: string; value: string }[] }
  | { kind: "clause"; heading: string; body: string }
  | { kind: "paragraph"; body: string };

/** The agreement, parsed for display. */
interface ParsedAgreement {
  title: string;
  parts: AgreementPart[];
}

const TERM = /^([A-Z][A-Za-z ]*):\s+(.+)$/;
const CLAUSE = /^((?:\d+\. )?[A-Z][A-Za-z ]*)\. (.+)$/s;
/** Only these blocks start with a heading; a name at the start of a paragraph is none. */
const HEADED = /^(?:\d+\. |Acknowledgement\. )/;

/**
 * Parses the server's plain-text agreement for display: a title, the terms, numbered clauses and
 * the acknowledgement. Unrecognised blocks stay paragraphs, so no word is ever lost.
 */
export function parseAgreement(text: string): ParsedAgreement {
  const [title = "", ...blocks] = text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
  return {
    title,
    parts: blocks.map((block, index) => ({ id: `part-${index}`, ...parseBlock(block) })),
  };
}

function parseBlock(block: string): AgreementBlock {
  const terms = block.split("\n").map((line) => TERM.exec(line));
  if (terms.every((term) => term !== null)) {
    return {
      kind: "terms",
      terms: terms.map(([, label = "", value = ""]) => ({ label, value })),
    };
  }
  const clause = HEADED.test(block) ? CLAUSE.exec(block) : null;
  if (clause) return { kind: "clause", heading: clause[1] ?? "", body: clause[2] ?? "" };
  return { kind: "paragraph", body: block };
}
