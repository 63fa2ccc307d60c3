import { lazy, Suspense } from "react";
import type { Idea } from "@/api/generated";
import { formOf } from "@/content/kind";
import { preloadEngine } from "@/pdf/loadEngine";
import { messages } from "@/pdf/messages";
import { placeholderStyles } from "@/pdf/windowStyles";
import { Skeleton } from "@/ui/Skeleton";

const CanvasContent = lazy(async () => ({
  default: (await import("@/content/CanvasContent")).CanvasContent,
}));
const PdfDocument = lazy(async () => {
  // In parallel with the viewer, not after it.
  preloadEngine();
  return { default: (await import("@/pdf/PdfDocument")).PdfDocument };
});
const LegacyContent = lazy(async () => ({
  default: (await import("@/content/LegacyContent")).LegacyContent,
}));

/** Content other than rich text, as recipients see it. */
export function ForeignContent({ idea }: { idea: Idea }) {
  return (
    <Suspense fallback={<Skeleton className="h-96" />}>
      <Form idea={idea} />
    </Suspense>
  );
}

function Form({ idea }: { idea: Idea }) {
  const form = formOf(idea.content);
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
