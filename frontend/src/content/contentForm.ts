import type { IdeaContent } from "@/api/generated";

/** The forms of content (docs/rules.md#idea-content), told apart by their shape. */
type ContentForm =
  | { kind: "html"; html: string }
  | { kind: "pdf"; pdf: { fileName: string; pdfPath: unknown } }
  | { kind: "canvas"; elements: readonly object[] }
  | { kind: "legacy"; legacy: object };

/** Returns the form of a content. */
export function contentFormOf(content: IdeaContent): ContentForm {
  if (typeof content === "string") return { kind: "html", html: content };
  const { type, fileName, pdfPath, elements }: Record<string, unknown> = { ...content };
  if (type === "pdf" && typeof fileName === "string") {
    return { kind: "pdf", pdf: { fileName, pdfPath } };
  }
  if (Array.isArray(elements)) return { kind: "canvas", elements };
  return { kind: "legacy", legacy: content };
}
