import { useRenameShareMutation } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { useAppDispatch } from "@/app/hooks";
import { errorToast } from "@/ui/toast/toastSlice";
import { messages } from "../messages";
import { OtherReadersOption } from "./OtherReadersOption";

/** Changes whether readers of an existing link see each other. */
export function ShareReaders({ share, description }: { share: Share; description: string }) {
  const dispatch = useAppDispatch();
  const [renameShare] = useRenameShareMutation();
  const change = async (showsOtherReaders: boolean) => {
    const { error } = await renameShare({
      id: share.id,
      shareChangeBody: { name: share.name, showsOtherReaders },
    });
    if (error) dispatch(errorToast(messages.changeFailed));
  };
  return (
    <div className="mt-2">
      <OtherReadersOption
        checked={share.showsOtherReaders}
        onChange={change}
        description={description}
      />
    </div>
  );
}
