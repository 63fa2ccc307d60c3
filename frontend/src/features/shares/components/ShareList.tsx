import { useRef, useState } from "react";
import { useListIdeaSharesQuery, useRevokeShareMutation } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { shareLabel, shareStates } from "@/sharing/shareTypes";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { FieldShell, inputStyles } from "@/ui/form/FieldShell";
import { TextField } from "@/ui/form/TextField";
import { hasWords } from "@/ui/searchWords";
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
          `The link “${shareLabel(toRevoke)}” stops working at once, even for people who have it open. The record of who agreed stays.`
        }
        confirmLabel="Revoke"
        danger
        onConfirm={revoke}
        focusAfterConfirm={list}
      />
    </>
  );
}

/** Active links shown at first; with more of all kinds, they can be searched. */
const FIRST_ROWS = 8;

const shown = { all: "All links", ...shareStates };
type Shown = keyof typeof shown;

interface LinksProps {
  rows: readonly Share[];
  onRevoke: (share: Share) => void;
}

function Links({ rows, onRevoke }: LinksProps) {
  const [search, setSearch] = useState("");
  const [state, setState] = useState<Shown>("all");
  const isFound = hasWords(search);
  const found = rows.filter(
    (share) =>
      (state === "all" || share.state === state) &&
      isFound(`${shareLabel(share)} ${share.recipientEmail ?? ""}`),
  );
  const live = found.filter(({ state }) => state === "active");
  const ended = found.filter(({ state }) => state !== "active");
  return (
    <>
      {rows.length > FIRST_ROWS && (
        <search className="mb-5 flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={messages.search}
              type="search"
              value={search}
              autoComplete="off"
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
          <FieldShell label="Show">
            {(ids) => (
              <select
                {...ids}
                value={state}
                onChange={(event) => setState(event.target.value as Shown)}
                className={`${inputStyles} read-only:bg-surface`}
              >
                {Object.entries(shown).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </FieldShell>
          <p role="status" className="w-full text-muted text-sm empty:hidden">
            {found.length < rows.length && messages.found(found.length, rows.length)}
          </p>
        </search>
      )}
      {live.length > 0 && (
        <ShareRows rows={live} first={FIRST_ROWS} of="Active Share Links" onRevoke={onRevoke} />
      )}
      {rows.length === 0 && (
        <EmptyState title="No links yet" hint="Links that you create appear here." />
      )}
      {found.length === 0 && rows.length > 0 && (
        <EmptyState title={messages.noneFound.title} hint={messages.noneFound.hint} />
      )}
      {live.length === 0 && ended.length > 0 && found.length === rows.length && (
        <EmptyState title="No active links" hint="All links to this idea have ended." />
      )}
      {ended.length > 0 && (
        <section
          aria-label="Ended links"
          className="not-first:mt-6 not-first:border-line not-first:border-t not-first:pt-5"
        >
          <h3 className="mb-4 font-semibold text-muted text-sm">Ended links ({ended.length})</h3>
          <ShareRows rows={ended} first={3} of="Ended links" onRevoke={onRevoke} />
        </section>
      )}
    </>
  );
}
