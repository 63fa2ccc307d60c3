import { useRef, useState } from "react";
import { useListIdeaSharesQuery, useRevokeShareMutation } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { shareLabel } from "@/sharing/shareTypes";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { messages } from "../messages";
import { ListPanel } from "./ListPanel";
import { ShareRows } from "./ShareRows";

/** 'Active Share Links', and below them the ended links, with reason and time. */
export function ShareList({ ideaId }: { ideaId: number }) {
  const dispatch = useAppDispatch();
  const shares = useListIdeaSharesQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  const [revokeShare] = useRevokeShareMutation();
  const [toRevoke, setToRevoke] = useState<Share | null>(null);
  const list = useRef<HTMLDivElement>(null);

  const revoke = async () => {
    if (!toRevoke) return;
    setToRevoke(null);
    const { error } = await revokeShare({ id: toRevoke.id });
    dispatch(error ? errorToast(messages.revokeFailed) : successToast(messages.revoked));
  };

  return (
    <>
      <div ref={list} tabIndex={-1} className="outline-none">
        <ListPanel title="Active Share Links" query={shares} failedText={messages.sharesFailed}>
          {(rows) => <Links rows={rows} onRevoke={setToRevoke} />}
        </ListPanel>
      </div>
      <ConfirmDialog
        open={toRevoke !== null}
        onOpenChange={(open) => !open && setToRevoke(null)}
        title="Revoke this link?"
        description={
          toRevoke &&
          `The link “${shareLabel(toRevoke)}” stops working at once, even for people who are reading. The record of who agreed stays.`
        }
        confirmLabel="Revoke"
        danger
        onConfirm={revoke}
        focusAfterConfirm={list}
      />
    </>
  );
}

interface LinksProps {
  rows: readonly Share[];
  onRevoke: (share: Share) => void;
}

function Links({ rows, onRevoke }: LinksProps) {
  const live = rows.filter(({ state }) => state === "active");
  const ended = rows.filter(({ state }) => state !== "active");
  return (
    <>
      {live.length > 0 && (
        <ShareRows rows={live} first={6} of="Active Share Links" onRevoke={onRevoke} />
      )}
      {rows.length === 0 && (
        <EmptyState title="No share links yet" hint="Links that you create appear here." />
      )}
      {live.length === 0 && ended.length > 0 && (
        <EmptyState title="No active links" hint="All links to this idea have ended." />
      )}
      {ended.length > 0 && (
        <section aria-label="Ended links" className="mt-6 border-line border-t pt-5">
          <h3 className="mb-4 font-semibold text-muted text-sm">Ended links ({ended.length})</h3>
          <ShareRows rows={ended} first={3} of="Ended links" onRevoke={onRevoke} />
        </section>
      )}
    </>
  );
}
