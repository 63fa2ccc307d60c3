import { Button } from "@/ui/Button";
import { messages } from "./messages";
import { usePutOnRecord } from "./usePutOnRecord";

/** Puts the current version of a draft on record. */
export function RecordButton({ ideaId, revision }: { ideaId: number; revision: number }) {
  const [putOnRecord, isBusy] = usePutOnRecord(ideaId);
  const { button } = messages.putOnRecord;
  return (
    <Button
      size="sm"
      className="relative mt-3 print:hidden"
      busy={isBusy}
      onClick={putOnRecord}
      aria-label={`${button}: version ${revision}`}
    >
      {button}
    </Button>
  );
}
