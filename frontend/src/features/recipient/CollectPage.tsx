import { type ReactNode, Suspense, useEffect } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import type { Recipient, Verification } from "@/api/generated";
import { recipientApi } from "@/api/recipients";
import { PageLayout } from "@/layout/PageLayout";
import { StatusScreen } from "@/layout/StatusScreen";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { Entry } from "./components/Entry";
import { AccessDenied } from "./components/LazyAccessDenied";
import { Steps } from "./components/Steps";
import { VisitGate } from "./components/VisitGate";
import { messages } from "./messages";
import { ANEW, accessTokenOf, type FoundShare, prepareVisit, useVisit } from "./visit";

const CodeForm = lazyComponent(() => import("./components/CodeForm"), "CodeForm");

// Forms are large: loaded while the link is being verified.
const CollectForm = lazyComponent(() => import("./components/CollectForm"), "CollectForm");
CollectForm.load().catch(() => undefined);

export const prepare = prepareVisit(CollectForm.load);

/**
 * Recipient details (/collect and /view); on a link for one address, also the code that confirms
 * the address.
 */
export function CollectPage() {
  const { accessToken } = useParams();
  const [query] = useSearchParams();
  const token = accessTokenOf(accessToken, query);
  const { state } = useLocation();
  const visit = useVisit(token);
  if (token && state === ANEW && visit?.status === "denied" && visit.ended) {
    return <CollectAnew token={token} />;
  }
  return (
    <VisitGate screen="collect">
      {(share) => {
        const { recipient, verification } = share.shared;
        if (recipient && verification) {
          return (
            <Confirm
              key={recipient.id}
              {...share}
              recipient={recipient}
              verification={verification}
            />
          );
        }
        return <Collect key={share.token} {...share} />;
      }}
    </VisitGate>
  );
}

/** Asks as of a browser that the link does not know, whose reader has to agree for themselves. */
function CollectAnew({ token }: { token: string }) {
  const { data, isError, refetch } = recipientApi.endpoints.peekShare.useQuery(token);
  if (isError) return <AccessDenied reason="unreachable" onRetry={refetch} />;
  if (!data) return <StatusScreen text={messages.verifyingAccess} />;
  return <Collect token={token} shared={data} receivedAt={0} />;
}

interface ConfirmProps extends FoundShare {
  recipient: Recipient;
  verification: Verification;
}

function Confirm({ shared, recipient, ...form }: ConfirmProps) {
  const { title, user } = shared.idea;
  return (
    <ConfirmView title={title} sharer={user.name} email={recipient.email}>
      <Suspense fallback={<p className="min-h-56 text-muted">Loading...</p>}>
        <CodeForm recipient={recipient} {...form} />
      </Suspense>
    </ConfirmView>
  );
}

interface ConfirmViewProps {
  title: string;
  sharer: string;
  /** The address to confirm. */
  email: string;
  /** The form. */
  children: ReactNode;
}

/** For somebody on a link for one address: where the code was sent, and the form for it. */
export function ConfirmView({ title, sharer, email, children }: ConfirmViewProps) {
  return (
    <PageLayout>
      <div className="wrap-anywhere mx-auto max-w-xl">
        <Steps current={0} />
        <PageHeading
          documentTitle="Confirm your email address"
          className="mt-6 max-sm:text-2xl"
          takesFocus
        >
          Confirm your email address
        </PageHeading>
        <p className="mt-3 text-muted">
          {sharer} shared “{title}” with one email address only. We have sent a 6-digit code to{" "}
          <strong className="font-semibold text-ink">{email}</strong>. Enter it here to continue to
          the agreement.
        </p>
        <div className="mt-6 rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-8">
          {children}
        </div>
        <p className="mt-5 text-muted text-sm">
          It may take a minute to arrive. Please check your spam folder too. {sharer} will see that
          the address is confirmed, and when.
        </p>
      </div>
    </PageLayout>
  );
}

function Collect({ token, shared }: FoundShare) {
  const { title, user } = shared.idea;
  const isByEmail = shared.shareType === "email";
  useEffect(() => {
    if (isByEmail) CodeForm.load().catch(() => undefined);
  }, [isByEmail]);
  return (
    <Entry title={title} sharer={user.name} codeNote={isByEmail && codeNote}>
      <Suspense fallback={<p className="min-h-96 text-muted">Loading...</p>}>
        <CollectForm token={token} />
      </Suspense>
    </Entry>
  );
}

/** Tells recipients that a code has to confirm their address. */
export const codeNote = " To confirm your email address, we will send you a code.";
