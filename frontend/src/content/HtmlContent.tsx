import "@/ui/prose.css";
import { type ReactNode, useMemo } from "react";
import { readHtml } from "./readHtml";

/** A document from the editor, on its sheet. */
export function HtmlContent({ html }: { html: string }) {
  return (
    <Sheet>
      <HtmlText html={html} />
    </Sheet>
  );
}

/** The sheet that a document is on. */
export const Sheet = ({ children }: { children: ReactNode }) => (
  <div className="prose-page rounded-lg px-5 py-8 sm:px-10 sm:py-14 print:p-0">{children}</div>
);

/** The text without a sheet of its own. */
export function HtmlText({ html }: { html: string }) {
  const nodes = useMemo(() => readHtml(html), [html]);
  return <div className="prose-document">{nodes}</div>;
}
