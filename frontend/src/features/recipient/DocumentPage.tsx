import { Clock, Download, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch } from "@/app/hooks";
import { paths } from "@/app/paths";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { formatDateTime } from "@/ui/dates";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { toastShown } from "@/ui/toast/toastSlice";
import { CommentsPanel } from "./components/CommentsPanel";
import { Verification } from "./components/Verification";
import { VisitGate } from "./components/VisitGate";
import { DocumentContent, preloadContent } from "./content/DocumentContent";
import { messages } from "./messages";
import { useViewEnd } from "./useViewEnd";
import { clearVisit, endVisit } from "./visit";

/** Spec section 2, Shared document. */
export function DocumentPage() {
  useEffect(preloadContent, []);
  return (
    <VisitGate screen="document">
      {(token, shared) => <SharedDocument token={token} shared={shared} />}
    </VisitGate>
  );
}

function SharedDocument({ token, shared }: { token: string; shared: SharedIdea }) {
  const { idea } = shared;
  useViewEnd(token, shared);
  return (
    <PageLayout>
      <div className="mb-8 flex flex-col gap-5 lg:flex-row lg:items-start lg:justify-between lg:gap-10">
        <div className="min-w-0">
          <PageHeading documentTitle={idea.title}>{idea.title}</PageHeading>
          <DocumentFacts shared={shared} />
        </div>
        <DocumentActions token={token} shared={shared} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] print:block">
        <article className="min-w-0">
          {idea.content !== null && <DocumentContent content={idea.content} title={idea.title} />}
          <Verification idea={idea} />
        </article>
        <CommentsPanel token={token} ideaId={idea.id} />
      </div>
    </PageLayout>
  );
}

function DocumentFacts({ shared: { idea, viewEndsAt } }: { shared: SharedIdea }) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted text-sm">
      <span>Shared by {idea.user.name}</span>
      {idea.documentId && <span className="font-mono">{idea.documentId}</span>}
      {viewEndsAt && (
        <span className="inline-flex items-center gap-1.5 print:hidden">
          <Clock className="size-4" aria-hidden="true" />
          Open for you until <time dateTime={viewEndsAt}>{formatDateTime(viewEndsAt)}</time>
        </span>
      )}
    </p>
  );
}

function DocumentActions({ token, shared }: { token: string; shared: SharedIdea }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [closing, setClosing] = useState(false);

  const close = async () => {
    setClosing(true);
    await dispatch(endVisit(token));
    setAsking(false);
    await navigate(paths.home);
    await dispatch(clearVisit());
  };

  return (
    <div className="flex shrink-0 gap-3 print:hidden">
      <Button variant="secondary" onClick={() => dispatch(toastShown(messages.downloadStarted))}>
        <Download className="size-4" aria-hidden="true" />
        Download
      </Button>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        <X className="size-4" aria-hidden="true" />
        Close
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close this document?"
        description={
          shared.shareType === "one-time"
            ? "This link was for one view. Once closed, the document cannot be viewed again."
            : "Your visit ends now. To read the document again later, open the link and enter your details once more."
        }
        confirmLabel="Close document"
        cancelLabel="Keep reading"
        danger={shared.shareType === "one-time"}
        busy={closing}
        onConfirm={close}
      />
    </div>
  );
}
