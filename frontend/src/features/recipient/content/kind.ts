import type { CanvasContent, IdeaContent, LegacyContent, PdfContent } from "@/api/generated";

/** The forms of content of spec section 3, told apart by their shape. */
export type ContentForm =
  | { kind: "html"; html: string }
  | { kind: "pdf"; pdf: PdfContent }
  | { kind: "canvas"; canvas: CanvasContent }
  | { kind: "legacy"; legacy: LegacyContent };

/** Tells which form a content has. */
export function formOf(content: IdeaContent): ContentForm {
  if (typeof content === "string") return { kind: "html", html: content };
  if (isPdf(content)) return { kind: "pdf", pdf: content };
  if (isCanvas(content)) return { kind: "canvas", canvas: content };
  return { kind: "legacy", legacy: content };
}

const isPdf = (content: Exclude<IdeaContent, string>): content is PdfContent =>
  "type" in content && content.type === "pdf" && typeof content.fileName === "string";

const isCanvas = (content: Exclude<IdeaContent, string>): content is CanvasContent =>
  "elements" in content && Array.isArray(content.elements);
