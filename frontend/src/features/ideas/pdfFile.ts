import { messages } from "./messages";

const MAX_PDF_BYTES = 10 * 1024 * 1024;
/** What the server accepts as a title. */
const MAX_TITLE_LENGTH = 200;

/** What is wrong with a file chosen for import (spec section 5), or null. */
export function pdfProblem(file: File) {
  if (file.type !== "application/pdf") return messages.wrongType;
  if (file.size > MAX_PDF_BYTES) return messages.tooLarge;
  return null;
}

/** The idea's title: the file's name without '.pdf' (spec section 5). */
export function titleFromFile({ name }: File): string {
  const title = name.replace(/\.pdf$/i, "").trim();
  return [...title].slice(0, MAX_TITLE_LENGTH).join("") || messages.untitled;
}
