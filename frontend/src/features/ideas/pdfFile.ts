import { messages } from "./messages";

const MAX_PDF_BYTES = 10 * 1024 * 1024;

/** What is wrong with a file chosen for import (spec section 5), or null. */
export function pdfProblem(file: File) {
  if (file.type !== "application/pdf") return messages.wrongType;
  if (file.size > MAX_PDF_BYTES) return messages.tooLarge;
  return null;
}
