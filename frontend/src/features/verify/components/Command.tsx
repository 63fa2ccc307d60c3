import { Check, Copy } from "lucide-react";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { IconButton } from "@/ui/IconButton";
import { useCopy } from "@/ui/useCopy";
import { messages } from "../messages";

/** A command, copyable. */
export function Command({ text }: { text: string }) {
  const dispatch = useAppDispatch();
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <div className="mt-1.5 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-3">
      <code className="min-w-0 flex-1 break-all py-1 font-mono text-ink text-xs">{text}</code>
      <IconButton
        label={copied ? messages.command.copied : `${messages.command.copy}: ${text}`}
        className="print:hidden"
        onClick={async () => {
          if (!(await copy(text))) dispatch(errorToast(messages.command.copyFailed));
        }}
      >
        <Icon className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
