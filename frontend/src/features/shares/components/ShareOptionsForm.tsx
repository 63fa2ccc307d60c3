import type { Share, ShareChangeBody } from "@/api/generated";
import { useChangeShareMutation } from "@/api/shares";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { messages } from "../messages";
import { OptionFields } from "./OptionFields";

/** Changes what readers of an existing link may do. */
export function ShareOptionsForm({ share }: { share: Share }) {
  const dispatch = useAppDispatch();
  const [changeShare] = useChangeShareMutation();
  // Only what has changed: the rest may be older than what the server has.
  const change = async (shareChangeBody: ShareChangeBody) => {
    const { error } = await changeShare({ id: share.id, shareChangeBody });
    if (error) dispatch(errorToast(messages.changeFailed));
  };
  return (
    <div className="flex flex-col gap-2">
      <OptionFields options={share} onChange={(option, checked) => change({ [option]: checked })} />
    </div>
  );
}
