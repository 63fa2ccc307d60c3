import { type ReactNode, type Ref, Suspense, useRef } from "react";
import { PageLayout } from "@/layout/PageLayout";
import { agreementUrl, receiptUrl, shareEvidenceUrl } from "@/sharing/agreement";
import { formatDateTime } from "@/ui/dates";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { useNear } from "@/ui/useNear";
import { whenIdle } from "@/ui/whenIdle";
import { VisitGate } from "./components/VisitGate";
import { DocumentContent, HtmlContent, preloadPdf } from "./content/DocumentContent";
import { messages } from "./messages";
import { useNow } from "./useNow";
import { useViewEnd } from "./useViewEnd";
import { type FoundShare, prepareVisit } from "./visit";

// Requested when the document is on the page, which has priority.
const loadPanels = async () => {
  await whenIdle();
  return import("./components/documentPanels");
};
const DocumentActions = lazyComponent(loadPanels, "DocumentActions");
const Verification = lazyComponent(loadPanels, "Verification");
const CommentsPanel = lazyComponent(async () => {
  await whenIdle();
  return import("./components/CommentsPanel");
}, "CommentsPanel");

/** Prefetches the rest of the page's code before the kind of document is known. */
export const preloadDocument = () => {
  preloadPdf();
  Promise.all([loadPanels(), CommentsPanel.load()]).catch(() => undefined);
};

export const prepare = prepareVisit(HtmlContent.load);

/** The shared document. */
export function DocumentPage() {
  return <VisitGate screen="document">{(share) => <SharedDocument {...share} />}</VisitGate>;
}

function SharedDocument(share: FoundShare) {
  const { token, shared } = share;
  const { idea } = shared;
  useViewEnd(share);
  return (
    <DocumentView
      title={idea.title}
      facts={<DocumentFacts {...share} />}
      actions={
        <Suspense fallback={<ActionsPlace />}>
          <DocumentActions token={token} shared={shared} />
        </Suspense>
      }
      comments={<Comments {...share} />}
    >
      {idea.content !== null && (
        <DocumentContent
          content={idea.content}
          title={idea.title}
          token={token}
          ideaId={idea.id}
          allowDownload={shared.allowDownload}
        />
      )}
      <Suspense fallback={null}>
        <Verification idea={idea} />
      </Suspense>
      <EndsSoon {...share} />
    </DocumentView>
  );
}

/** How long before its end a view says so, in milliseconds. */
const SOON_MS = 5 * 60_000;

/** Says in time that a view ends; it stays in sight while the document is scrolled. */
function EndsSoon({ shared, receivedAt }: FoundShare) {
  const now = useNow(10_000);
  const { viewEndsAt } = shared;
  const end = Date.parse(viewEndsAt ?? "");
  return (
    <div role="status" className="sticky bottom-4 z-10 mt-4 max-sm:bottom-20 print:hidden">
      {viewEndsAt && end > receivedAt && end - now <= SOON_MS && (
        <p className="rounded-lg border border-line bg-seal-soft px-4 py-3 text-sm shadow-raised">
          {messages.viewEndsSoon(formatDateTime(viewEndsAt))}
        </p>
      )}
    </div>
  );
}

/** The comments. On a narrow screen they are far below, so they wait until somebody may get there. */
function Comments(share: FoundShare) {
  const place = useRef<HTMLDivElement>(null);
  if (!useNear(place)) return <CommentsPlace ref={place} />;
  return (
    <Suspense fallback={<CommentsPlace />}>
      <CommentsPanel {...share} />
    </Suspense>
  );
}

interface DocumentViewProps {
  title: string;
  /** Facts about the document, below its title. */
  facts: ReactNode;
  actions: ReactNode;
  comments: ReactNode;
  /** The document itself. */
  children: ReactNode;
}

/** Where everything of a shared document is. */
export function DocumentView({ title, facts, actions, comments, children }: DocumentViewProps) {
  return (
    <PageLayout>
      <div className="mb-3 flex flex-col gap-3 sm:mb-8 sm:gap-5 lg:flex-row lg:items-start lg:justify-between lg:gap-10">
        <div className="wrap-anywhere min-w-0">
          <PageHeading documentTitle={title} className="max-sm:text-2xl">
            {title}
          </PageHeading>
          <p className="mt-1 flex flex-wrap items-center gap-x-5 text-muted text-sm sm:mt-2 sm:gap-y-1">
            {facts}
          </p>
        </div>
        {actions}
      </div>
      <div className="grid content-start items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] print:block">
        <article className="min-w-0">{children}</article>
        {comments}
      </div>
    </PageLayout>
  );
}

/** Placeholder as high as the actions. */
export const ActionsPlace = () => <div className="min-h-11" />;

/** Placeholder about as high as the panel without comments, to keep the footer in place. */
export const CommentsPlace = ({ ref }: { ref?: Ref<HTMLDivElement> }) => (
  <div
    ref={ref}
    id="comments"
    className="min-h-[26rem] rounded-lg border border-line bg-surface print:hidden"
  />
);

/** On a phone, one menu has all downloads. */
export const downloadLinkStyles = `${textLinkStyles} max-sm:hidden print:hidden`;

/** Facts about a document, and what its reader can save. */
export function DocumentFacts({ token, shared }: FoundShare) {
  const { idea, viewEndsAt, recipient } = shared;
  return (
    <>
      <span>Shared by {idea.user.name}</span>
      {idea.documentId && (
        <span translate="no" className="font-mono">
          {idea.documentId}
        </span>
      )}
      {viewEndsAt && (
        <span className="print:hidden">
          Open for you until <time dateTime={viewEndsAt}>{formatDateTime(viewEndsAt)}</time>
        </span>
      )}
      {recipient && (
        <a href={agreementUrl(recipient.id)} download className={downloadLinkStyles}>
          Download the agreement
        </a>
      )}
      {recipient?.agreedToNda && (
        <a href={receiptUrl(recipient.id)} download className={downloadLinkStyles}>
          Download your receipt
        </a>
      )}
      {recipient?.agreedToNda && (
        <a href={shareEvidenceUrl(token)} download className={downloadLinkStyles}>
          Download evidence
        </a>
      )}
    </>
  );
}
