import { shareUrl } from "@/sharing/shareTypes";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, toastShown } from "@/store/toastSlice";
import { CopyButton } from "@/ui/CopyButton";
import { messages } from "../messages";

interface CopyAccessLinkProps {
  accessLink: string;
  label: string;
  description?: string;
}

export function CopyAccessLink({ accessLink, ...labels }: CopyAccessLinkProps) {
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
