/**
 * The text formats of a document, and the fixed order in which their tags nest. The order is part
 * of the storage format: changing it changes the hash of every idea saved afterwards.
 */
import {
  IS_BOLD,
  IS_CODE,
  IS_HIGHLIGHT,
  IS_ITALIC,
  IS_STRIKETHROUGH,
  IS_SUBSCRIPT,
  IS_SUPERSCRIPT,
} from "lexical";

/** Formats as Lexical bits, outermost tag first. Highlight is written by the exporter itself. */
export const FORMAT_TAGS = [
  [IS_BOLD, "strong"],
  [IS_ITALIC, "em"],
  [IS_STRIKETHROUGH, "s"],
  [IS_CODE, "code"],
  [IS_SUBSCRIPT, "sub"],
  [IS_SUPERSCRIPT, "sup"],
] as const;

/** All bits that may be stored; underline, for example, has no tag in the allow-list. */
const ALLOWED_FORMATS =
  IS_BOLD | IS_ITALIC | IS_STRIKETHROUGH | IS_CODE | IS_HIGHLIGHT | IS_SUBSCRIPT | IS_SUPERSCRIPT;

/**
 * Returns the part of a text's format that may be stored. Subscript and superscript exclude each
 * other.
 */
export function storableFormat(format: number): number {
  const allowed = format & ALLOWED_FORMATS;
  return allowed & IS_SUBSCRIPT ? allowed & ~IS_SUPERSCRIPT : allowed;
}

/** Format bits of each element, in stored and in foreign HTML. */
export const TAG_FORMATS: Readonly<Record<string, number>> = {
  STRONG: IS_BOLD,
  B: IS_BOLD,
  EM: IS_ITALIC,
  I: IS_ITALIC,
  CITE: IS_ITALIC,
  DFN: IS_ITALIC,
  S: IS_STRIKETHROUGH,
  DEL: IS_STRIKETHROUGH,
  STRIKE: IS_STRIKETHROUGH,
  CODE: IS_CODE,
  KBD: IS_CODE,
  SAMP: IS_CODE,
  TT: IS_CODE,
  MARK: IS_HIGHLIGHT,
  SUB: IS_SUBSCRIPT,
  SUP: IS_SUPERSCRIPT,
};
