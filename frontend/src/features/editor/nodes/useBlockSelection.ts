import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { useLexicalNodeSelection } from "@lexical/react/useLexicalNodeSelection";
import { CLICK_COMMAND, COMMAND_PRIORITY_LOW, type NodeKey } from "lexical";
import { type RefObject, useLayoutEffect, useRef } from "react";

/** Selects a block on click, so that keys such as Delete apply to it. */
export function useBlockSelection<T extends HTMLElement>(
  nodeKey: NodeKey,
): { ref: RefObject<T | null>; isSelected: boolean } {
  const [editor] = useLexicalComposerContext();
  const [isSelected, setSelected, clearSelection] = useLexicalNodeSelection(nodeKey);
  const ref = useRef<T>(null);

  useLayoutEffect(
    () =>
      editor.registerCommand(
        CLICK_COMMAND,
        ({ target, shiftKey }) => {
          if (!(target instanceof Node) || !ref.current?.contains(target)) return false;
          if (!shiftKey) clearSelection();
          setSelected(true);
          return true;
        },
        COMMAND_PRIORITY_LOW,
      ),
    [editor, setSelected, clearSelection],
  );

  return { ref, isSelected };
}

/** Styles of a selected block. */
export const selectedBlockStyles = "outline-3 outline-page-focus outline-offset-3";
