import { Suspense, useCallback, useEffect, useState } from "react";
import type { IdeaContent } from "@/api/generated";
import { contentFormOf } from "@/content/contentForm";
import { placeholderStyles } from "@/pdf/windowStyles";
import { lazyComponent } from "@/ui/lazyComponent";
import { holdBusy } from "@/ui/whenIdle";
import { messages } from "../messages";

/** The most frequent form of content, which is loaded while the link is being verified. */
export const HtmlContent = lazyComponent(() => import("@/content/HtmlContent"), "HtmlContent");
HtmlContent.load().catch(() => undefined);
const loadPdf = () => import("./PdfContent");
const loadEngine = () => import("@/pdf/loadEngine");
const PdfContent = lazyComponent(async () => {
  // In parallel with the viewer, not after it.
  const engine = loadEngine().then(({ preloadEngine }) => preloadEngine());
  engine.catch(() => undefined);
  return loadPdf();
}, "PdfContent");
const CanvasContent = lazyComponent(() => import("@/content/CanvasContent"), "CanvasContent");
const LegacyContent = lazyComponent(() => import("@/content/LegacyContent"), "LegacyContent");

interface DocumentContentProps {
  readonly content: IdeaContent;
  readonly title: string;
  readonly token: string;
  readonly ideaId: number;
  readonly allowDownload: boolean;
}

/** Prefetches the code of the largest form. */
export const preloadPdf = () => {
  Promise.all([loadPdf(), loadEngine()]).catch(() => undefined);
};

/** The content of the idea, in its form. */
export function DocumentContent(props: DocumentContentProps) {
  return (
    <Suspense fallback={<LoadingDocument />}>
      <Form {...props} />
    </Suspense>
  );
}

function Form({ content, title, ...visit }: DocumentContentProps) {
  const form = contentFormOf(content);
  switch (form.kind) {
    case "html":
      return <HtmlContent html={form.html} />;
    case "pdf":
      return <Pdf pdf={form.pdf} {...visit} />;
    case "canvas":
      return <CanvasContent elements={form.elements} title={title} />;
    case "legacy":
      return <LegacyContent content={form.legacy} />;
  }
}

type PdfProps = Omit<Parameters<typeof PdfContent>[0], "onShown">;

/** A PDF: the rest of the page loads once its first page is shown. */
function Pdf(props: PdfProps) {
  const [isShown, setIsShown] = useState(false);
  const noteShown = useCallback(() => setIsShown(true), []);
  useEffect(() => (isShown ? undefined : holdBusy()), [isShown]);
  return (
    <Suspense fallback={<LoadingPdf />}>
      <PdfContent {...props} onShown={noteShown} />
    </Suspense>
  );
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

/** The place of the viewer. */
export function LoadingPdf() {
  return (
    <div className={placeholderStyles}>
      <p role="status" className="sr-only">
        {messages.loadingDocument}
      </p>
    </div>
  );
}
