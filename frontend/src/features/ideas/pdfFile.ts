import { maxPdfBytes } from "@/api/pdfLimit";
import { maxPdfSize } from "@/ui/vault";
import { messages } from "./messages";

/** Within so many bytes the server looks for the mark of a PDF. */
const MARK_WITHIN = 1024;
/** The one type that the server believes. Systems that do not know PDFs name none, or another. */
const WEB_PAGE = "text/html";
/** Longest title that the server accepts, in characters. */
const MAX_TITLE_LENGTH = 200;

/** Returns the error of a file chosen for import, or null (docs/rules.md#files). */
export async function pdfProblem(file: File) {
  if (file.type !== "application/pdf" && !(await isPdf(file))) return messages.wrongType;
  if (file.size > maxPdfBytes()) return messages.tooLarge(maxPdfSize());
  return null;
}

async function isPdf(file: File): Promise<boolean> {
  if (file.type === WEB_PAGE) return false;
  // An unreadable file is left to the upload, which says so.
  const head = await file
    .slice(0, MARK_WITHIN)
    .text()
    .catch(() => null);
  return head === null || head.includes("%PDF-");
}

/** Derives the idea's title from the file name, without '.pdf'. */
export function titleFromFile({ name }: File): string {
  const title = name.replace(/\.pdf$/i, "").trim();
  return [...title].slice(0, MAX_TITLE_LENGTH).join("") || messages.untitled;
}
