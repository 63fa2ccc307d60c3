import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { CopyIconButton } from "@/ui/CopyIconButton";
import { messages } from "../messages";

interface CopyTextProps {
  text: string;
  /** Says what is copied, for screen readers. */
  label: string;
}

/** A digest or another text of a machine, whole, with a button that copies it. */
export function CopyText({ text, label }: CopyTextProps) {
  return (
    <span className="flex items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-3 print:bg-transparent print:p-0">
      <code translate="no" className="min-w-0 flex-1 break-all font-mono text-xs">
        {text}
      </code>
      <CopyTextButton text={text} label={label} />
    </span>
  );
}

/** The button alone. */
export function CopyTextButton({ text, label }: CopyTextProps) {
  const dispatch = useAppDispatch();
  return (
    <CopyIconButton
      text={text}
      label={label}
      className="print:hidden"
      onFailed={() => dispatch(errorToast(messages.copyFailed))}
    />
  );
}
