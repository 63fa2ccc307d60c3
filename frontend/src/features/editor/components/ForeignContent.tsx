import { Suspense } from "react";
import type { Idea } from "@/api/generated";
import { contentFormOf } from "@/content/contentForm";
import { preloadEngine } from "@/pdf/loadEngine";
import { messages } from "@/pdf/messages";
import { placeholderStyles } from "@/pdf/windowStyles";
import { lazyComponent } from "@/ui/lazyComponent";
import { Skeleton } from "@/ui/Skeleton";

const CanvasContent = lazyComponent(() => import("@/content/CanvasContent"), "CanvasContent");
const PdfDocument = lazyComponent(async () => {
  // In parallel with the viewer, not after it.
  preloadEngine();
  return import("@/pdf/PdfDocument");
}, "PdfDocument");
const LegacyContent = lazyComponent(() => import("@/content/LegacyContent"), "LegacyContent");

/** Content other than rich text, as recipients see it. */
export function ForeignContent({ idea }: { idea: Idea }) {
  return (
    <Suspense fallback={<Skeleton className="h-96" />}>
      <Form idea={idea} />
    </Suspense>
  );
}

function Form({ idea }: { idea: Idea }) {
  const form = contentFormOf(idea.content);
  switch (form.kind) {
    case "canvas":
      return <CanvasContent elements={form.elements} title={idea.title} />;
    case "legacy":
      return <LegacyContent content={form.legacy} />;
    case "pdf":
      return (
        <Suspense fallback={<div className={placeholderStyles} />}>
          <PdfDocument {...form.pdf} openLabel={messages.openPdf} />
        </Suspense>
      );
    case "html":
      return null;
  }
}
