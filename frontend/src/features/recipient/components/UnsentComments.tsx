import { useEffect } from "react";
import { useStore } from "react-redux";
import { draftsBeside } from "@/store/commentDraftsSlice";
import { useAppSelector } from "@/store/hooks";
import type { RootState } from "@/store/store";
import { CopyButton } from "@/ui/CopyButton";
import { keepDrafts } from "../keepDrafts";

/** Unsent comments on a document that is no longer shown, to be read and copied. */
export function UnsentComments({ token }: { token: string }) {
  const store = useStore<RootState>();
  useEffect(() => keepDrafts(store), [store]);
  const texts = useAppSelector((state) => state.commentDrafts.texts);
  const unsent = draftsBeside(texts, token)
    .map((subject) => ({ subject, text: texts[subject] ?? "" }))
    .filter(({ text }) => text.trim() !== "");
  if (unsent.length === 0) return null;
  return (
    <section
      aria-labelledby="unsent-heading"
      className="mt-10 w-full rounded-lg border border-line bg-surface p-5 text-left shadow-soft"
    >
      <h2 id="unsent-heading" className="font-semibold">
        Your comment was not sent
      </h2>
      <p className="mt-1 text-muted text-sm">
        The document closed while you were writing. Copy your text now: it will be lost when you
        leave this page.
      </p>
      {unsent.map(({ subject, text }) => (
        <div key={subject} className="mt-4 flex flex-col items-start gap-3">
          <p
            dir="auto"
            className="wrap-anywhere max-h-60 w-full overflow-y-auto whitespace-pre-wrap rounded-md bg-sunken px-4 py-3"
          >
            {text}
          </p>
          <CopyButton text={text} label="Copy text" />
        </div>
      ))}
    </section>
  );
}
