import { lazy, Suspense } from "react";
import type { IdeaContent } from "@/api/generated";
import { formOf } from "@/content/kind";
import { messages } from "../messages";

const loadHtml = () => import("./HtmlContent");
const HtmlContent = lazy(async () => ({ default: (await loadHtml()).HtmlContent }));
const PdfContent = lazy(async () => ({ default: (await import("./PdfContent")).PdfContent }));
const CanvasContent = lazy(async () => ({
  default: (await import("@/content/CanvasContent")).CanvasContent,
}));
const LegacyContent = lazy(async () => ({
  default: (await import("@/content/LegacyContent")).LegacyContent,
}));

/** Fetches the code of the usual form before the content is here. */
export const preloadContent = () => {
  loadHtml().catch(() => undefined);
};

/** The idea itself, in the form it has (spec section 2, Shared document). */
export function DocumentContent({ content, title }: { content: IdeaContent; title: string }) {
  return (
    <Suspense fallback={<LoadingDocument />}>
      <Form content={content} title={title} />
    </Suspense>
  );
}

function Form({ content, title }: { content: IdeaContent; title: string }) {
  const form = formOf(content);
  switch (form.kind) {
    case "html":
      return <HtmlContent html={form.html} />;
    case "pdf":
      return <PdfContent pdf={form.pdf} />;
    case "canvas":
      return <CanvasContent elements={form.elements} title={title} />;
    case "legacy":
      return <LegacyContent content={form.legacy} />;
  }
}

function LoadingDocument() {
  return (
    <div className="prose-page min-h-96 rounded-lg border border-line bg-surface p-8">
      <p role="status" className="text-muted">
        {messages.loadingDocument}
      </p>
    </div>
  );
}
