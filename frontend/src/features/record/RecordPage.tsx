import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { LoginLink } from "@/account/LoginLink";
import type { PublicRecord } from "@/api/generated";
import { getPublicRecord } from "@/api/recordClient";
import { PageLayout } from "@/layout/PageLayout";
import { StatusLine } from "@/layout/StatusScreen";
import { paths } from "@/routing/paths";
import { LoadFailure } from "@/ui/LoadFailure";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { formatUtc } from "@/ui/utcDates";
import { messages } from "./messages";

const RecordSeal = lazyComponent(() => import("./RecordSeal"), "RecordSeal");

const CompareDocument = lazyComponent(() => import("./CompareDocument"), "CompareDocument");

type Loaded = PublicRecord | "loading" | "missing" | "failed";

/** The public record of a document, for anybody. */
export function RecordPage() {
  const { documentId = "" } = useParams();
  const { record, retry } = useRecord(documentId);
  return (
    <PageLayout width="medium" visitor={<LoginLink />}>
      <PageHeading documentTitle={messages.title}>{messages.title}</PageHeading>
      {record === "loading" && <StatusLine text={messages.loading} />}
      {record === "failed" && (
        <div className="mt-6">
          <LoadFailure text={messages.failed} busy={false} onRetry={retry} />
        </div>
      )}
      {record === "missing" && (
        <div role="status" className="mt-6">
          <p className="font-semibold text-lg">{messages.missing}</p>
          <p className="mt-2 text-muted">{messages.missingHint}</p>
        </div>
      )}
      {typeof record === "object" && <Record record={record} />}
    </PageLayout>
  );
}

function useRecord(documentId: string) {
  const [record, setRecord] = useState<Loaded>("loading");
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    const abort = new AbortController();
    setRecord("loading");
    void getPublicRecord(documentId, abort.signal).then(({ data, error }) => {
      if (abort.signal.aborted) return;
      if (!error) setRecord(data);
      else setRecord(error.status === 404 ? "missing" : "failed");
    });
    return () => abort.abort();
  }, [documentId, attempt]);
  return { record, retry: () => setAttempt(attempt + 1) };
}

const { facts, proves, state: words } = messages;

function Record({ record }: { record: PublicRecord }) {
  const { documentId, publishedAt, sha256, log, index } = record;
  return (
    <>
      <p className="mt-4 max-w-prose text-lg text-muted">{messages.lead}</p>
      <div className="mt-8 grid items-center gap-x-10 gap-y-6 rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-8 md:grid-cols-[13rem_minmax(0,1fr)] print:grid-cols-[10rem_minmax(0,1fr)] print:shadow-none">
        <div className="mx-auto aspect-square w-44 md:w-full print:w-full">
          <Suspense fallback={null}>
            <RecordSeal record={record} />
          </Suspense>
        </div>
        <dl className="flex min-w-0 flex-col gap-5">
          <Fact name={facts.document}>
            <span translate="no" className="font-mono">
              {documentId}
            </span>
          </Fact>
          <Fact name={facts.published}>
            <time dateTime={publishedAt}>{formatUtc(publishedAt)}</time>
          </Fact>
          <Fact name={facts.digest}>
            <code translate="no" className="break-all font-mono text-sm">
              {sha256}
            </code>
          </Fact>
          <Fact name={facts.place}>
            {index === null || log === null ? facts.noPlace : messages.place(index, log)}
          </Fact>
          <Fact name={facts.time}>
            {sentences(record).map((sentence) => (
              <span key={sentence} className="block">
                {sentence}
              </span>
            ))}
          </Fact>
        </dl>
      </div>
      <Suspense fallback={<div className="mt-8 min-h-48" />}>
        <CompareDocument documentId={documentId} sha256={sha256} />
      </Suspense>
      <h2 className="mt-10 font-semibold font-serif text-xl">{proves.title}</h2>
      <p className="mt-3 max-w-prose">{proves.yes}</p>
      <p className="mt-3 max-w-prose">{proves.no}</p>
      <p className="mt-4">
        <Link to={paths.verify} className={`inline-block py-1.5 ${textLinkStyles}`}>
          {proves.check}
        </Link>
      </p>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="wrap-anywhere mt-0.5">{children}</dd>
    </div>
  );
}

/** Says who has confirmed the time, or that nobody else has. */
function sentences({ state, anchors, hasWitnesses }: PublicRecord): string[] {
  const confirmed = anchors
    .filter((anchor) => anchor.state === "confirmed")
    .flatMap(({ kind, name, time, block }) => {
      if (kind === "tsa") return time === null ? [] : messages.confirmed(name, formatUtc(time));
      return block === null || time === null ? [] : messages.block(block, formatUtc(time));
    });
  if (state === "confirmed" && confirmed.length > 0) return confirmed;
  if (state === "recorded" && anchors.length === 0 && !hasWitnesses) return [words.noWitness];
  return [...confirmed, state === "confirmed" ? words.submitted : words[state]];
}
