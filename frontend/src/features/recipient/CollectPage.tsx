import { Eye, FileSignature, ShieldCheck } from "lucide-react";
import { type ReactNode, Suspense, useEffect } from "react";
import type { Recipient, Verification } from "@/api/generated";
import { PageLayout } from "@/layout/PageLayout";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { Steps } from "./components/Steps";
import { VisitGate } from "./components/VisitGate";
import { type FoundShare, prepareVisit } from "./visit";

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
/** Asks as of a browser that the link does not know, whose reader has to agree for themselves. */
function CollectAnew({ token }: { token: string }) {
  const { data, isError, refetch } = recipientApi.endpoints.peekShare.useQuery(token);
  if (isError) return <AccessDenied reason="unreachable" onRetry={refetch} />;
  if (!data) return <StatusScreen text={messages.verifyingAccess} />;
  return <Collect token={token} shared={data} receivedAt={0} />;
}

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

interface EntryProps {
  title: string;
  sharer: string;
  codeNote: ReactNode;
  /** The form. */
  children: ReactNode;
}

/** For somebody new to a link: who shares what, and the form for their details. */
export function Entry({ title, sharer, codeNote, children }: EntryProps) {
  return (
    <PageLayout>
      <div className="mx-auto grid max-w-md gap-6 lg:max-w-5xl lg:grid-cols-[1.1fr_1fr] lg:gap-14">
        <div className="wrap-anywhere min-w-0">
          <Steps current={0} />
          <PageHeading documentTitle="Your details" className="mt-6 max-sm:text-2xl">
            {sharer} would like to show you an idea
          </PageHeading>
          <p className="mt-3 border-seal border-l-2 pl-4 font-semibold font-serif text-lg">
            {title}
          </p>
          <p className="mt-4 text-muted">
            It is confidential. {sharer} asks who you are because your name and email are written
            into the agreement that you accept before reading.
            {codeNote}
          </p>
          <Assurances className="mt-8 hidden lg:flex" sharer={sharer} />
        </div>
        <section
          aria-labelledby="details-heading"
          className="min-w-0 self-start rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-8"
        >
          <h2 id="details-heading" className="mb-5 font-semibold font-serif text-xl">
            Your details
          </h2>
          {children}
        </section>
        <Assurances className="flex lg:hidden" sharer={sharer} />
      </div>
    </PageLayout>
  );
}

function Assurances({ className, sharer }: { className: string; sharer: string }) {
  const points = [
    {
      Icon: Eye,
      text: `${sharer} sees your details beside the record of your visit. Other readers see your name only if you comment.`,
    },
    { Icon: FileSignature, text: "You can read the whole agreement first, and decline it." },
    { Icon: ShieldCheck, text: "You do not need an account." },
  ];
  return (
    <ul className={`wrap-anywhere flex-col gap-3 text-muted text-sm ${className}`}>
      {points.map(({ Icon, text }) => (
        <li key={text} className="flex items-start gap-3">
          <Icon className="mt-0.5 size-4 shrink-0 text-seal" aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
