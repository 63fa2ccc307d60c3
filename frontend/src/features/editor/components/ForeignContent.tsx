import { FileText } from "lucide-react";
import { lazy, Suspense } from "react";
import type { Idea } from "@/api/generated";
import { formOf } from "@/content/kind";
import { Skeleton } from "@/ui/Skeleton";

const CanvasContent = lazy(async () => ({
  default: (await import("@/content/CanvasContent")).CanvasContent,
}));
const LegacyContent = lazy(async () => ({
  default: (await import("@/content/LegacyContent")).LegacyContent,
}));

/** Content that is no rich text, as recipients see it, too. */
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
      return <PdfName fileName={form.pdf.fileName} />;
    case "html":
      return null;
  }
}

function PdfName({ fileName }: { fileName: string }) {
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line bg-surface p-6">
      <FileText className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 break-words">{fileName}</p>
    </div>
  );
}
