import { ShieldCheck } from "lucide-react";
import type { SharedIdea } from "@/api/generated";
import { Badge } from "@/ui/Badge";

/** Verification block of a published idea. */
export function Verification({ idea }: { idea: SharedIdea["idea"] }) {
  if (idea.status !== "published" || !idea.documentId) return null;
  return (
    <section
      aria-label="Verification"
      className="wrap-anywhere mt-6 rounded-lg border border-line bg-surface p-5 sm:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
          <div>
            <dt className="text-muted">Document ID</dt>
            <dd translate="no" className="font-mono font-semibold">
              {idea.documentId}
            </dd>
          </div>
          <div className="min-w-0">
            <dt className="text-muted">Created by</dt>
            <dd className="font-semibold">{idea.user.name}</dd>
          </div>
        </dl>
        <Badge tone="success">
          <ShieldCheck className="size-4" aria-hidden="true" />
          Verified &amp; Published
        </Badge>
      </div>
      <p className="mt-4 border-line border-t pt-4 text-muted text-sm">
        This document is confidential. It is shown to you under the non-disclosure agreement that
        you accepted; please do not copy it or pass it on.
      </p>
    </section>
  );
}
