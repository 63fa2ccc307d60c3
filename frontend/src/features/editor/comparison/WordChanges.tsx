import { useMemo } from "react";
import { compare } from "./compare";

/** Shown where there are no words to mark. */
export const comparisonMessages = {
  sameWords: "The words are the same; only formatting, the title or images may differ.",
  tooDifferent: "These versions differ too much to be compared here.",
} as const;

interface WordChangesProps {
  /** Plain text of the version before. */
  from: string;
  /** Plain text of the version after. */
  to: string;
}

/** A text with the words that were removed and added. */
export function WordChanges({ from, to }: WordChangesProps) {
  const pieces = useMemo(() => compare(from, to), [from, to]);
  if (pieces === null) return <p className="text-muted">{comparisonMessages.tooDifferent}</p>;
  if (pieces.every(({ kind }) => kind === "same")) {
    return <p className="text-muted">{comparisonMessages.sameWords}</p>;
  }
  return (
    <p className="wrap-anywhere whitespace-pre-wrap font-serif leading-relaxed" dir="auto">
      {pieces.map(({ id, kind, text }) => {
        if (kind === "added") {
          return (
            <ins key={id} className="bg-success-soft text-success">
              {text}
            </ins>
          );
        }
        if (kind === "removed") {
          return (
            <del key={id} className="bg-danger-soft text-danger">
              {text}
            </del>
          );
        }
        return <span key={id}>{text}</span>;
      })}
    </p>
  );
}
