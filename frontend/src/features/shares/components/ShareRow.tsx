import { ChevronDown } from "lucide-react";
import { Suspense, useId, useState } from "react";
import type { Share } from "@/api/generated";
import { ShareTerms, ShareTitle, ShareUse } from "@/sharing/ShareFacts";
import { shareLabel } from "@/sharing/shareTypes";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { formatDateTime } from "@/ui/dates";
import { lazyComponent } from "@/ui/lazyComponent";
import { CopyAccessLink } from "./CopyAccessLink";

const ShareSettings = lazyComponent(() => import("./ShareSettings"), "ShareSettings");

interface ShareRowProps {
  share: Share;
  onRevoke: (share: Share) => void;
}

/** One link in one row, its settings behind a button. With a damaged address it cannot be copied. */
export function ShareRow({ share, onRevoke }: ShareRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const description = `${shareLabel(share)}, created ${formatDateTime(share.createdAt)}`;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="grid items-center gap-x-3 gap-y-1 text-sm lg:grid-cols-[minmax(0,1fr)_7.5rem_6rem_15rem_14.5rem]">
        <div className="min-w-0">
          <ShareTitle share={share} />
          <ShareTerms share={share} />
        </div>
        <p className="flex flex-wrap gap-x-4 text-muted lg:contents">
          <ShareUse share={share} />
        </p>
        <div className="flex flex-wrap gap-2 max-lg:mt-1 lg:justify-end">
          {share.state === "active" && share.accessLink !== null && (
            <CopyAccessLink
              accessLink={share.accessLink}
              label="Copy Link"
              description={description}
            />
          )}
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            Settings
            <span className="sr-only">, {description}</span>
            <ChevronDown
              className={cx("size-4 transition-transform", open && "rotate-180")}
              aria-hidden="true"
            />
          </Button>
        </div>
      </div>
      {open && (
        <section
          id={id}
          aria-label={`Settings, ${description}`}
          className="mt-3 flex max-w-2xl flex-col items-start gap-5 rounded-md border border-line p-4"
        >
          {/* About its height. */}
          <Suspense fallback={<div className="min-h-72" />}>
            <ShareSettings share={share} onRevoke={onRevoke} />
          </Suspense>
        </section>
      )}
    </li>
  );
}
