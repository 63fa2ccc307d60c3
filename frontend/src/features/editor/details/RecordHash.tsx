import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { CopyableHash } from "@/ui/Hash";
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
