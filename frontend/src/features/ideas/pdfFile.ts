import { messages } from "./messages";

const MAX_PDF_BYTES = 10 * 1024 * 1024;
/** Longest title that the server accepts, in characters. */
const MAX_TITLE_LENGTH = 200;

/** Returns the error of a file chosen for import, or null (docs/rules.md#files). */
export function pdfProblem(file: File) {
  if (file.type !== "application/pdf") return messages.wrongType;
  if (file.size > MAX_PDF_BYTES) return messages.tooLarge;
  return null;
}

/** Derives the idea's title from the file name, without '.pdf'. */
export function titleFromFile({ name }: File): string {
  const title = name.replace(/\.pdf$/i, "").trim();
  return [...title].slice(0, MAX_TITLE_LENGTH).join("") || messages.untitled;
}
