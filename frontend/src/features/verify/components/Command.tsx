import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { CopyIconButton } from "@/ui/CopyIconButton";
import { messages } from "../messages";

/** A command, copyable. */
export function Command({ text }: { text: string }) {
  const dispatch = useAppDispatch();
  return (
    <div className="mt-1.5 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-3">
      <code translate="no" className="wrap-anywhere min-w-0 flex-1 py-1 font-mono text-ink text-xs">
        {text}
      </code>
      <CopyIconButton
        text={text}
        label={`${messages.command.copy}: ${text}`}
        className="print:hidden"
        onFailed={() => dispatch(errorToast(messages.command.copyFailed))}
      />
    </div>
  );
}
