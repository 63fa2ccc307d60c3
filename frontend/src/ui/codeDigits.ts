/** The groups in which a code of six digits is written, apart from other numbers and codes. */
const CODE = /(?<![\da-z])\d{3}[\s\p{Pd}.\u00B7_]*\d{3}(?![\da-z])/giu;

/**
 * Returns the digits of a six-digit code as it may arrive: with spaces or dashes, in full-width or
 * other digits, with invisible characters of a mail or a chat, or in the sentence around it. Text
 * that has no such code, or several, is returned without its spaces.
 */
export function codeDigits(typed: string): string {
  const text = typed
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}]/gu, "")
    .replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));
  const separated = text.replace(/[\s\p{P}]/gu, "");
  if (/^\d{6}$/.test(separated)) return separated;
  const [found, ...others] = text.match(CODE) ?? [];
  return found && others.length === 0 ? found.replace(/\D/g, "") : text.replace(/\s/g, "");
}

/** Returns the code of an app however it arrives; recovery codes, which have letters, as they are. */
export function signInCode(typed: string): string {
  const digits = codeDigits(typed);
  return /^\d{6}$/.test(digits) ? digits : typed.trim();
}

/** Returns the value of a decimal digit: in Unicode, each ten of a script stand together. */
function valueOfDigit(digit: string): number {
  const at = digit.codePointAt(0) ?? 0;
  let zero = at;
  while (at - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return at - zero;
}
