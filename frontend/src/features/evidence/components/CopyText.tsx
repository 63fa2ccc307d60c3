import { Check, Copy } from "lucide-react";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { IconButton } from "@/ui/IconButton";
import { useCopy } from "@/ui/useCopy";
import { messages } from "../messages";

/** A digest or another text of a machine, whole, with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-3 print:bg-transparent print:p-0">
      <code className="min-w-0 flex-1 break-all font-mono text-xs">{text}</code>
      <CopyIcon text={text} label={label} />
    </span>
  );
}

/** The button alone. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const dispatch = useAppDispatch();
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <IconButton
      label={copied ? "Copied" : label}
      className="print:hidden"
      onClick={async () => {
        if (!(await copy(text))) dispatch(errorToast(messages.copyFailed));
      }}
    >
      <Icon className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
