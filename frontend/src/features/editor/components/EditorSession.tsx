import { Suspense, useEffect, useState } from "react";
import { type CallFailure, toApiError } from "@/api/baseApi";
import { useFreshIdea } from "@/api/enhanced";
import type { Idea } from "@/api/generated";
import { defectMessage } from "@/api/http";
import { PageLayout } from "@/layout/PageLayout";
import { backToDashboard, paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { Spinner } from "@/ui/Spinner";
import { messages } from "../messages";
import { DraftsOfMissingIdea } from "./DraftsOfMissingIdea";

// The editor's code is loaded in parallel with the idea; an imported PDF does not wait for it.
const HtmlIdea = lazyComponent(() => import("./HtmlIdea"), "HtmlIdea");
HtmlIdea.load().catch(() => undefined);
const ForeignIdea = lazyComponent(() => import("./ForeignIdea"), "ForeignIdea");

interface EditorSessionProps {
  /** Null for the new idea, not saved yet. */
  readonly ideaId: number | null;
  readonly onCreated: (idea: Idea) => void;
}

/** Loads the idea once and renders the editor for its kind of content. */
export function EditorSession({ ideaId, onCreated }: EditorSessionProps) {
  const [startsNew] = useState(ideaId === null);
  const [loaded, setLoaded] = useState<Idea | null>(null);
  const [replacements, setReplacements] = useState(0);
  const replace = (other: Idea) => {
    setLoaded(other);
    setReplacements(replacements + 1);
  };
  // Another version is announced as a new page to screen readers.
  useEffect(() => {
    if (replacements > 0) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [replacements]);

  if (ideaId !== null && !startsNew && loaded === null) {
    return <LoadIdea id={ideaId} onLoaded={setLoaded} />;
  }
  return (
    <Suspense fallback={<Loading />}>
      {loaded === null || typeof loaded.content === "string" ? (
        <HtmlIdea key={replacements} idea={loaded} onCreated={onCreated} onReplaced={replace} />
      ) : (
        <ForeignIdea key={replacements} idea={loaded} onReplaced={replace} />
      )}
    </Suspense>
  );
}

/**
 * A component of its own, unmounted once the idea is loaded: from then on the session is newer than
 * the cache.
 */
function LoadIdea({ id, onLoaded }: { id: number; onLoaded: (idea: Idea) => void }) {
  const { idea, error, reload } = useFreshIdea(id);
  useEffect(() => {
    if (idea) onLoaded(idea);
  }, [idea, onLoaded]);
  return error ? <LoadFailed id={id} error={error} onRetry={reload} /> : <Loading />;
}

function Loading() {
  return (
    <PageLayout back={backToDashboard}>
      <p role="status" className="flex items-center gap-3 py-16 text-lg text-muted">
        <Spinner className="size-5" />
        {messages.loading}
      </p>
    </PageLayout>
  );
}

interface LoadFailedProps {
  readonly id: number;
  readonly error: CallFailure;
  readonly onRetry: () => void;
}

function LoadFailed({ id, error, onRetry }: LoadFailedProps) {
  const failure = toApiError(error);
  const isMissing = failure.status === 404;
  return (
    <PageLayout
      back={backToDashboard}
      width="narrow"
      className="flex flex-col items-center justify-center text-center"
    >
      <PageHeading documentTitle="Idea not available">
        {isMissing ? "Idea not found" : "This idea could not be loaded"}
      </PageHeading>
      <p className="mt-3 mb-8 text-lg text-muted">
        {isMissing
          ? "It may have been deleted, or it belongs to another account."
          : (defectMessage(failure) ?? "Check your connection, then try again.")}
      </p>
      {isMissing ? (
        <>
          <DraftsOfMissingIdea ideaId={id} />
          <LinkButton to={paths.dashboard}>Back to Dashboard</LinkButton>
        </>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </PageLayout>
  );
}
