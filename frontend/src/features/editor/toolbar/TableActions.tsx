import type { TableEdit, TablePlace } from "../extensions/tableEdits";
import { type PopoverControls, ToolbarPopover } from "./ToolbarPopover";

type Action = readonly [edit: TableEdit, label: string];

const INSERTIONS: readonly Action[] = [
  ["rowAbove", "Insert row above"],
  ["rowBelow", "Insert row below"],
  ["columnLeft", "Insert column to the left"],
  ["columnRight", "Insert column to the right"],
];
const HEADER: readonly Action[] = [["headerRow", "Header row on or off"]];
const MERGE: readonly Action[] = [["mergeCells", "Merge cells"]];
const SPLIT: readonly Action[] = [["splitCell", "Split cell"]];
const DELETIONS: readonly Action[] = [
  ["deleteRow", "Delete row"],
  ["deleteColumn", "Delete column"],
  ["deleteTable", "Delete table"],
];

interface TableActionsProps {
  readonly controls: PopoverControls;
  readonly place: TablePlace;
  readonly onChoose: (edit: TableEdit) => void;
}

/** Edits of the table at the caret. */
export function TableActions({ controls, place, onChoose }: TableActionsProps) {
  const groups = [
    INSERTIONS,
    [...HEADER, ...(place.canMerge ? MERGE : []), ...(place.canSplit ? SPLIT : [])],
    DELETIONS,
  ];
  return (
    <ToolbarPopover
      controls={controls}
      label="Table"
      className="max-h-(--radix-popover-content-available-height) overflow-y-auto p-1.5"
    >
      {groups.map((actions) => (
        <div
          key={actions[0]?.[0]}
          className="border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5"
        >
          {actions.map(([edit, label]) => (
            <button
              key={edit}
              type="button"
              className="block min-h-9 w-full rounded-sm px-3 text-left text-sm hover:bg-sunken pointer-coarse:min-h-11"
              onClick={() => onChoose(edit)}
            >
              {label}
            </button>
          ))}
        </div>
      ))}
    </ToolbarPopover>
  );
}
