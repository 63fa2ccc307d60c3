import { Stamp } from "lucide-react";
import type { MouseEvent } from "react";
import type { ListedIdea } from "@/api/generated";
import { usePutOnRecord } from "@/evidence/usePutOnRecord";
import { IconButton } from "@/ui/IconButton";
import { titleOf } from "../messages";

/** Puts the current version of a draft on record. */
export function RecordAction({ idea }: { idea: ListedIdea }) {
  const [putOnRecord, isBusy] = usePutOnRecord(idea.id);
  const record = async ({ currentTarget }: MouseEvent) => {
    const title = currentTarget.closest("li")?.querySelector("a");
    // This button goes with the state that it ends.
    if (await putOnRecord()) title?.focus();
  };
  return (
    <IconButton
      label={`Put ${titleOf(idea)} on record`}
      data-tooltip="Put on record"
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : record}
    >
      <Stamp className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
