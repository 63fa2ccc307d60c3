import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { COMMAND_PRIORITY_EDITOR, UNDO_COMMAND } from "lexical";
import { Suspense, useLayoutEffect, useState } from "react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { LOSSY_PASTE_COMMAND, type LossyPaste } from "../extensions/paste";
import { losesContent } from "../html/clipboardDocument";

const load = () => import("./PasteLossesWindow");
const PasteDialog = lazyComponent(load, "PasteDialog");
const PasteNote = lazyComponent(load, "PasteNote");

/**
 * Reports what a paste cannot keep: asks first when content would be lost, informs afterwards when
 * only formatting is.
 */
export function PasteLosses() {
  const [editor] = useLexicalComposerContext();
  const [question, setQuestion] = useState<LossyPaste | null>(null);
  const [note, setNote] = useState<LossyPaste | null>(null);

  useLayoutEffect(
    () =>
      editor.registerCommand(
        LOSSY_PASTE_COMMAND,
        (paste) => {
          setNote(null);
          if (losesContent(paste.losses)) setQuestion(paste);
          else {
            paste.insert();
            setNote(paste);
          }
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
    [editor],
  );

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
          editor={editor}
          losses={note.losses}
          onUndo={() => editor.dispatchCommand(UNDO_COMMAND)}
          onClose={() => setNote(null)}
        />
      )}
    </Suspense>
  );
}
