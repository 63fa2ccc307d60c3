import { useAppDispatch } from "@/app/hooks";
import { shareUrl } from "@/sharing/shareTypes";
import { CopyButton } from "@/ui/CopyButton";
import { errorToast, toastShown } from "@/ui/toast/toastSlice";
import { messages } from "../messages";

interface CopyLinkButtonProps {
  accessLink: string;
  label: string;
  description?: string;
}

export function CopyLinkButton({ accessLink, ...labels }: CopyLinkButtonProps) {
  const dispatch = useAppDispatch();
  return (
    <CopyButton
      {...labels}
      text={shareUrl(accessLink)}
      onCopied={() => dispatch(toastShown(messages.copied))}
      onFailed={() => dispatch(errorToast(messages.copyFailed))}
    />
  );
}
