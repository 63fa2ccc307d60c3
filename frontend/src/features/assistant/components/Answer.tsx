import "@/ui/prose.css";
import { useMemo, useState } from "react";
import { readHtml } from "@/content/readHtml";
import type { AssistantDocument } from "../assistantDocument";
import { markdownToHtml } from "../markdown";

interface AnswerProps {
  readonly markdown: string;
  readonly document: AssistantDocument;
}

/** One formatted response with its actions. */
export function Answer({ markdown, document }: AnswerProps) {
  const [done, setDone] = useState("");
  const html = useMemo(() => markdownToHtml(markdown), [markdown]);
  const nodes = useMemo(() => readHtml(html), [html]);
  const put = (how: "insert" | "replace") => {
    document[how](html);
    setDone(how === "insert" ? "Inserted into your idea." : "Replaced in your idea.");
  };
  return (
    <>
      <div className="prose-document prose-compact">{nodes}</div>
      {document.canChange && (
        <div className="mt-2 -mb-1 flex flex-wrap gap-x-4 text-sm print:hidden">
          <button type="button" className={actionStyles} onClick={() => put("insert")}>
            Insert into idea
          </button>
          <button type="button" className={actionStyles} onClick={() => put("replace")}>
            {document.readSelection() === "" ? "Replace whole text" : "Replace selection"}
          </button>
          <span aria-live="polite" className="inline-flex min-h-9 items-center text-muted">
            {done}
          </span>
        </div>
      )}
    </>
  );
}

const actionStyles =
  "inline-flex min-h-9 items-center text-link underline underline-offset-2 pointer-coarse:min-h-11";
