import { useRenameShareMutation } from "@/api/enhanced";
import type { Share, ShareChangeBody } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { messages } from "../messages";
import { DownloadOption } from "./DownloadOption";
import { OtherReadersOption } from "./OtherReadersOption";

/** Changes what readers of an existing link may do. */
export function LinkOptions({ share, description }: { share: Share; description: string }) {
  const dispatch = useAppDispatch();
  const [renameShare] = useRenameShareMutation();
  const change = async (changed: ShareChangeBody) => {
    const { error } = await renameShare({
      id: share.id,
      shareChangeBody: { name: share.name, ...changed },
    });
    if (error) dispatch(errorToast(messages.changeFailed));
  };
  return (
    <div className="mt-2 flex flex-col gap-2">
      <OtherReadersOption
        checked={share.showsOtherReaders}
        onChange={(showsOtherReaders) => change({ showsOtherReaders })}
        description={description}
      />
      <DownloadOption
        checked={share.allowDownload}
        onChange={(allowDownload) => change({ allowDownload })}
        description={description}
      />
    </div>
  );
}
