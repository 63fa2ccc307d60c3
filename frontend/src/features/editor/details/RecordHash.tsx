import { useAppDispatch } from "@/app/hooks";
import { CopyableHash } from "@/ui/Hash";
import { errorToast } from "@/ui/toast/toastSlice";
import { messages } from "./messages";

/** A hash in a record, copyable. */
export function RecordHash({ value, of }: { value: string; of: string }) {
  const dispatch = useAppDispatch();
  return (
    <CopyableHash
      value={value}
      of={of}
      onFailed={() => dispatch(errorToast(messages.copyFailed))}
    />
  );
}
