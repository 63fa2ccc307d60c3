import { useExtensionSignalValue } from "@lexical/react/useExtensionSignalValue";
import type { LexicalEditor } from "lexical";
import { Table } from "lucide-react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { FormattingStateExtension } from "../extensions/formattingState";
import { EDIT_TABLE_COMMAND } from "../extensions/tables";
import { PopoverButton } from "./PopoverButton";

const TableActions = lazyComponent(() => import("./TableActions"), "TableActions");

/** Inserts a table; with the caret in one, opens its edits. */
export function TableButton({ editor }: { editor: LexicalEditor }) {
  const { table } = useExtensionSignalValue(FormattingStateExtension, "formatting");
  useIdleLoad(TableActions.load);
  return (
    <PopoverButton
      editor={editor}
      icon={Table}
      label={table === null ? "Add table" : "Table"}
      pressed={table !== null}
      onPress={() => table === null && editor.dispatchCommand(EDIT_TABLE_COMMAND, "insert")}
    >
      {(controls, choose) =>
        table !== null && (
          <TableActions
            controls={controls}
            place={table}
            onChoose={(edit) => choose(() => editor.dispatchCommand(EDIT_TABLE_COMMAND, edit))}
          />
        )
      }
    </PopoverButton>
  );
}
