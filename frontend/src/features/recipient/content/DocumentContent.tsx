import { lazy, Suspense } from "react";
import type { IdeaContent } from "@/api/generated";
import { formOf } from "@/content/kind";
import { placeholderStyles } from "@/pdf/windowStyles";
import { messages } from "../messages";

const loadHtml = () => import("@/content/HtmlContent");
const HtmlContent = lazy(async () => ({ default: (await loadHtml()).HtmlContent }));
const loadPdf = () => import("./PdfContent");
const loadEngine = () => import("@/pdf/loadEngine");
const PdfContent = lazy(async () => {
  // Beside the viewer, not after it.
  const engine = loadEngine().then(({ preloadEngine }) => preloadEngine());
  engine.catch(() => undefined);
  return { default: (await loadPdf()).PdfContent };
});
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

interface DocumentContentProps {
  readonly content: IdeaContent;
  readonly title: string;
  readonly token: string;
  readonly ideaId: number;
  readonly allowDownload: boolean;
}

/** Fetches that of the form that takes longest, too. */
export const preloadForms = () => {
  preloadContent();
  Promise.all([loadPdf(), loadEngine()]).catch(() => undefined);
};

/** The idea itself, in the form it has (spec section 2, Shared document). */
export function DocumentContent(props: DocumentContentProps) {
  return (
    <Suspense fallback={<LoadingDocument />}>
      <Form {...props} />
    </Suspense>
  );
}

function Form({ content, title, ...visit }: DocumentContentProps) {
  const form = formOf(content);
  switch (form.kind) {
    case "html":
      return <HtmlContent html={form.html} />;
    case "pdf":
      return (
        <Suspense fallback={<LoadingPdf />}>
          <PdfContent pdf={form.pdf} {...visit} />
        </Suspense>
      );
    case "canvas":
      return <CanvasContent elements={form.elements} title={title} />;
    case "legacy":
      return <LegacyContent content={form.legacy} />;
  }
}

function LoadingDocument() {
  return (
    <div className="prose-page min-h-dvh rounded-lg border border-line bg-surface p-8">
      <p role="status" className="text-muted">
        {messages.loadingDocument}
      </p>
    </div>
  );
}

function LoadingPdf() {
  return (
    <div className={placeholderStyles}>
      <p role="status" className="sr-only">
        {messages.loadingDocument}
      </p>
    </div>
  );
}
