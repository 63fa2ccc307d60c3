import { useRef, useState } from "react";
import { useListIdeaSharesQuery, useRevokeShareMutation } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { useAppDispatch } from "@/app/hooks";
import { shareTypeLabel } from "@/sharing/shareTypes";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { errorToast, successToast } from "@/ui/toast/toastSlice";
import { messages } from "../messages";
import { ListPanel } from "./ListPanel";
import { ShareLinkRow } from "./ShareLinkRow";

/** 'Active Share Links': everything not revoked, used-up and expired links with a badge. */
export function ShareLinks({ ideaId }: { ideaId: number }) {
  const dispatch = useAppDispatch();
  const shares = useListIdeaSharesQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  const [revokeShare] = useRevokeShareMutation();
  const [doomed, setDoomed] = useState<Share | null>(null);
  const list = useRef<HTMLDivElement>(null);

  const revoke = async () => {
    if (!doomed) return;
    setDoomed(null);
    const { error } = await revokeShare({ id: doomed.id });
    dispatch(error ? errorToast(messages.revokeFailed) : successToast(messages.revoked));
  };

  return (
    <>
      <div ref={list} tabIndex={-1} className="outline-none">
        <ListPanel title="Active Share Links" query={shares} failedText={messages.sharesFailed}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                title="No share links yet"
                hint="Links that you generate are listed here."
              />
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((share) => (
                  <ShareLinkRow key={share.id} share={share} onRevoke={setDoomed} />
                ))}
              </ul>
            )
          }
        </ListPanel>
      </div>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title="Revoke this link?"
        description={
          doomed &&
          `The ${shareTypeLabel(doomed.shareType)} link stops working at once, also for people who are reading. What was agreed stays on record.`
        }
        confirmLabel="Revoke"
        danger
        onConfirm={revoke}
        focusAfterConfirm={list}
      />
    </>
  );
}
