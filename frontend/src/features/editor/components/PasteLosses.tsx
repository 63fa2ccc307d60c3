import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { COMMAND_PRIORITY_EDITOR, HISTORY_MERGE_TAG, mergeRegister, UNDO_COMMAND } from "lexical";
import { Suspense, useLayoutEffect, useState } from "react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { LOSSY_PASTE_COMMAND, LOSSY_PASTE_TAG, type LossyPaste } from "../extensions/paste";
import { losesContent } from "../html/clipboardDocument";

const load = () => import("./PasteLossesWindow");
const PasteDialog = lazyComponent(load, "PasteDialog");
const PasteNote = lazyComponent(load, "PasteNote");

interface Note extends Pick<LossyPaste, "losses"> {
  /** Whether the paste is the last edit, which is what can be undone. */
  readonly canUndo: boolean;
}

/**
 * Reports what a paste cannot keep: asks first when content would be lost, informs afterwards when
 * only formatting is.
 */
export function PasteLosses() {
  const [editor] = useLexicalComposerContext();
  const [question, setQuestion] = useState<LossyPaste | null>(null);
  const [note, setNote] = useState<Note | null>(null);

  useLayoutEffect(
    () =>
      mergeRegister(
        editor.registerCommand(
          LOSSY_PASTE_COMMAND,
          (paste) => {
            setNote(null);
            if (losesContent(paste.losses)) setQuestion(paste);
            else {
              paste.insert();
              setNote({ losses: paste.losses, canUndo: false });
            }
            return true;
          },
          COMMAND_PRIORITY_EDITOR,
        ),
        // Here, because the note is loaded lazily: more may be written before it appears.
        editor.registerUpdateListener(({ tags, dirtyElements, dirtyLeaves }) => {
          const isEdit = dirtyElements.size + dirtyLeaves.size > 0;
          // Uploads of pasted images become part of the same undo step.
          if (!isEdit || tags.has(HISTORY_MERGE_TAG)) return;
          const canUndo = tags.has(LOSSY_PASTE_TAG);
          setNote((shown) => (shown && shown.canUndo !== canUndo ? { ...shown, canUndo } : shown));
        }),
      ),
    [editor],
  );

  const closeNote = () => {
    setNote(null);
    editor.focus();
  };

  useIdleLoad(load);
  return (
    <Suspense fallback={null}>
      {question && (
        <PasteDialog
          losses={question.losses}
          onClose={() => setQuestion(null)}
          onConfirm={question.insert}
        />
      )}
      {note && (
        <PasteNote
          losses={note.losses}
          onUndo={
            note.canUndo
              ? () => {
                  editor.dispatchCommand(UNDO_COMMAND);
                  closeNote();
                }
              : null
          }
          onClose={closeNote}
        />
      )}
    </Suspense>
  );
}
