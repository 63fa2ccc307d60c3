import { X } from "lucide-react";
import { Button } from "@/ui/Button";
import { ConfirmDialogWindow } from "@/ui/ConfirmDialogWindow";
import { IconButton } from "@/ui/IconButton";
import type { PasteLosses } from "../html/clipboardDocument";

interface PasteDialogProps {
  readonly losses: PasteLosses;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before a paste that loses content. */
export function PasteDialog({ losses, onClose, onConfirm }: PasteDialogProps) {
  return (
    <ConfirmDialogWindow
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Some of this can’t be pasted"
      description={
        <>
          {contentLosses(losses).map((text) => (
            <span key={text} className="mb-2 block">
              {text}
            </span>
          ))}
          {losses.formatting.length > 0 && `${formattingLoss(losses)} will be left out too.`}
        </>
      }
      confirmLabel="Paste the rest"
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
    />
  );
}

interface PasteNoteProps extends Omit<PasteDialogProps, "onConfirm"> {
  /** Undoes the paste and closes the note; null once something else has been edited. */
  readonly onUndo: (() => void) | null;
}

/**
 * Informs that a paste has lost only formatting, and offers to undo it. Sticks to the window's lower
 * edge, but stays above the end of the document.
 */
export function PasteNote({ losses, onUndo, onClose }: PasteNoteProps) {
  return (
    <div className="sticky bottom-4 z-30 mx-auto -mt-17 mb-4 flex min-h-13 w-max max-w-full items-center rounded-md border border-line bg-surface py-1 pr-1 pl-4 text-sm shadow-raised print:hidden">
      <p role="status" className="mr-1">
        Pasted without {formattingLoss(losses).toLowerCase()}.
      </p>
      {onUndo && (
        <Button variant="ghost" size="sm" className="shrink-0" onClick={onUndo}>
          Undo paste
        </Button>
      )}
      <IconButton label="Dismiss" onClick={onClose}>
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function contentLosses({ pictures, objects, tables, isIntoCode }: PasteLosses): string[] {
  if (isIntoCode) return ["A code block holds only text. Pictures and videos will be left out."];
  const texts: string[] = [];
  if (pictures > 0) {
    texts.push(
      pictures === 1
        ? "1 picture is stored elsewhere. Save it as a file and use “Add image”."
        : `${pictures} pictures are stored elsewhere. Save them as files and use “Add image”.`,
    );
  }
  if (objects > 0) {
    texts.push(
      objects === 1
        ? "1 drawing, formula or embedded object will be left out."
        : `${objects} drawings, formulas or embedded objects will be left out.`,
    );
  }
  if (tables > 0) {
    texts.push(
      tables === 1
        ? "1 table is inside another one or too large. Its text is kept as paragraphs."
        : `${tables} tables are inside others or too large. Their text is kept as paragraphs.`,
    );
  }
  return texts;
}

const FORMATTING = {
  underline: "underlining",
  alignment: "text alignment",
  numbering: "the original list numbering",
} as const;
const NAMES = new Intl.ListFormat("en");

function formattingLoss({ formatting }: PasteLosses): string {
  const text = NAMES.format(formatting.map((name) => FORMATTING[name]));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
