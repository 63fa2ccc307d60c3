import { type ReactNode, useState } from "react";
import type { MyDocument, MyDocuments } from "@/api/generated";
import { myAgreementUrl, myDocumentsClient, myReceiptUrl } from "@/api/myDocumentsClient";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "./messages";

const { list: words } = messages;

interface DocumentListProps {
  shown: MyDocuments;
  onDone: () => void;
}

/** What a person was shown, the newest agreement first. */
export function DocumentList({ shown, onDone }: DocumentListProps) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const end = async () => {
    setState("busy");
    const { error } = await myDocumentsClient.end();
    // Without a list, it has ended by itself.
    if (error && error.status !== 401) setState("failed");
    else onDone();
  };
  return (
    <>
      <PageHeading key="list" documentTitle={messages.title} takesFocus>
        {messages.title}
      </PageHeading>
      {shown.email && (
        <p className="wrap-anywhere mt-2 text-muted">
          {words.shownTo} <strong translate="no">{shown.email}</strong>
        </p>
      )}
      <div className="mt-8">
        {shown.documents.length === 0 ? (
          <EmptyState title={words.empty} hint={words.emptyHint} />
        ) : (
          <ul className="flex flex-col gap-4">
            {shown.documents.map((document) => (
              <Entry key={document.recipientId} document={document} />
            ))}
          </ul>
        )}
        {shown.hasMore && <p className="mt-4 text-muted text-sm">{words.more}</p>}
      </div>
      <p className="mt-8 text-muted text-sm">{words.closes}</p>
      {state === "failed" && (
        <div className="mt-4">
          <Alert>{messages.failed}</Alert>
        </div>
      )}
      <Button variant="secondary" className="mt-4" busy={state === "busy"} onClick={end}>
        {words.done}
      </Button>
    </>
  );
}

function Entry({ document }: { document: MyDocument }) {
  const { recipientId, agreement, acceptedAt, firstOpenedAt, lastOpenedAt, versions, linkEnded } =
    document;
  const title = agreement ? agreement.title || "Untitled Idea" : words.erasedTitle;
  return (
    <li className="rounded-lg border border-line bg-surface p-5 sm:p-6">
      <h2 dir="auto" className="wrap-anywhere font-semibold font-serif text-xl">
        {title}
      </h2>
      {!agreement && <p className="mt-2 text-muted">{words.erased}</p>}
      <dl className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {agreement && <Fact name={words.sharer}>{agreement.sharer}</Fact>}
        {agreement?.documentId && (
          <Fact name={words.documentId}>
            <code translate="no" className="font-mono">
              {agreement.documentId}
            </code>
          </Fact>
        )}
        <Fact name={words.agreed}>
          <Time at={acceptedAt} />
        </Fact>
        <Fact name={words.opened}>
          {firstOpenedAt === null || lastOpenedAt === null ? (
            words.never
          ) : (
            <>
              {words.first} <Time at={firstOpenedAt} />
              <br />
              {words.last} <Time at={lastOpenedAt} />
            </>
          )}
        </Fact>
        {versions.length > 0 && <Fact name={words.versions}>{versions.join(", ")}</Fact>}
        <Fact name={words.link}>{linkEnded ? words.ended : words.notEnded}</Fact>
      </dl>
      {agreement && (
        <p className="mt-4 flex flex-wrap gap-x-6">
          <Download href={myReceiptUrl(recipientId)} label={words.receipt} of={title} />
          <Download href={myAgreementUrl(recipientId)} label={words.agreement} of={title} />
        </p>
      )}
    </li>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="font-semibold text-muted text-xs">{name}</dt>
    <dd dir="auto" className="wrap-anywhere">
      {children}
    </dd>
  </div>
);

const Time = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>;

const Download = ({ href, label, of }: { href: string; label: string; of: string }) => (
  <a
    href={href}
    download
    aria-label={`${label}: ${of}`}
    className={`${textLinkStyles} inline-flex min-h-11 items-center`}
  >
    {label}
  </a>
);
