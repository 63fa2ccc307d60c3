import "@/ui/prose.css";
import { useMemo } from "react";
import { readHtml } from "./readHtml";

/** A document from the editor, on its sheet. */
export function HtmlContent({ html }: { html: string }) {
  return (
    <div className="prose-page rounded-lg px-5 py-8 sm:px-10 sm:py-14 print:p-0">
      <HtmlText html={html} />
    </div>
  );
}

/** The text without a sheet of its own. */
export function HtmlText({ html }: { html: string }) {
  const nodes = useMemo(() => readHtml(html), [html]);
  return <div className="prose-document">{nodes}</div>;
}
