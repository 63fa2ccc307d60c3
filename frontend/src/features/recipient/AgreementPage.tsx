import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { Nda, Recipient } from "@/api/generated";
import { isUnanswered } from "@/api/http";
import { PageLayout } from "@/layout/PageLayout";
import { StatusScreen } from "@/layout/StatusScreen";
import { fetchEngine } from "@/pdf/fetchEngine";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, toastShown } from "@/store/toastSlice";
import { visitCleared } from "@/store/visitSlice";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { TextArea } from "@/ui/form/TextArea";
import { PageHeading } from "@/ui/PageHeading";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { useIsMounted } from "@/ui/useIsMounted";
import { AgreementForm, ViewLimit } from "./components/AgreementForm";
import { AccessDenied } from "./components/LazyAccessDenied";
import { Steps } from "./components/Steps";
import { VisitGate } from "./components/VisitGate";
import { declineAgreement } from "./leaving";
import { messages } from "./messages";
import { pause, VERIFICATION_DELAY_MS } from "./pause";
import { agree } from "./steps";
import {
  denyAccess,
  type FoundShare,
  lookUp,
  prepareVisit,
  recipientStored,
  refreshVisit,
} from "./visit";

export const prepare = prepareVisit();

/** The agreement: `nda` in addresses and in the API. */
export function AgreementPage() {
  const dispatch = useAppDispatch();
  return (
    <VisitGate screen="nda">
      {(share) => {
        const { token } = share;
        const { nda, recipient } = share.shared;
        // The server sends both at this stage; without them there is nothing to agree to.
        if (!nda || !recipient) {
          return <AccessDenied reason="unreachable" onRetry={() => dispatch(lookUp(token))} />;
        }
        return <Agreement {...share} nda={nda} recipient={recipient} />;
      }}
    </VisitGate>
  );
}

/**
 * The code for PDFs is the largest download. There is time for it while the agreement is read, and
 * the kind of document is secret until it is accepted: so it is always prefetched.
 */
const preloadPdf = async () => fetchEngine();

/** Longest reason for declining, in characters. */
const REASON_MAX = 500;

interface AgreementProps extends FoundShare {
  nda: Nda;
  recipient: Recipient;
}

function Agreement({ token, shared, nda, recipient }: AgreementProps) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  useIdleLoad(preloadPdf);
  const [encrypting, setEncrypting] = useState(false);
  const [declining, setDeclining] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const [reason, setReason] = useState("");
  // Kept while the form gives way to the status of an attempt that may fail.
  const [isRead, setRead] = useState(false);

  const onAgree = async () => {
    setEncrypting(true);
    setFailure(null);
    const { data, error } = await dispatch(agree(token, recipient.id));
    if (error) {
      // A second tab or a lost response may have moved the registration on: only the share itself
      // says whether it is dead.
      const visit = error.status === 404 ? await dispatch(refreshVisit(token)) : null;
      setEncrypting(false);
      // Access Denied says by itself what happened.
      const isAskedAgain = !visit || (visit.data && visit.data.stage !== "open");
      const text = isUnanswered(error) ? messages.agreeUnanswered : messages.agreeFailed;
      if (isAskedAgain) dispatch(errorToast(text));
      if (!visit) setFailure(text);
      return;
    }
    dispatch(recipientStored(token, data));
    // Code only: requesting the document itself would count a view too early.
    import("./DocumentPage").then(
      ({ preloadDocument }) => preloadDocument(),
      () => undefined,
    );
    await pause(VERIFICATION_DELAY_MS);
    // The next screen requests the visit from the server itself.
    if (!isMounted()) return;
    dispatch(visitCleared());
    await navigate(paths.document(token), { replace: true });
  };

  const decline = async () => {
    setLeaving(true);
    await dispatch(declineAgreement(token, reason));
    // Else the recipient has gone somewhere else meanwhile.
    if (isMounted()) {
      setLeaving(false);
      setDeclining(false);
      dispatch(toastShown(messages.declined));
      await navigate(paths.home);
    }
    await dispatch(denyAccess(token, "left"));
  };

  useEffect(() => {
    // The loading screen is shorter than the agreement was.
    if (encrypting) window.scrollTo(0, 0);
  }, [encrypting]);

  if (encrypting) return <StatusScreen text={messages.encrypting} />;
  const { idea } = shared;
  return (
    <AgreementView
      title={idea.title}
      documentId={idea.documentId && <Party label="Document ID" value={idea.documentId} />}
      sharer={idea.user.name}
      recipient={recipient.name}
    >
      <AgreementForm
        nda={nda}
        ideaId={shared.idea.id}
        isRead={isRead}
        onRead={() => setRead(true)}
        viewLimit={<ViewLimit {...shared} />}
        failure={failure}
        onAgree={onAgree}
        onDecline={() => setDeclining(true)}
      />
      <ConfirmDialog
        open={declining}
        onOpenChange={setDeclining}
        title="Decline the agreement"
        description={messages.declineQuestion}
        confirmLabel="Decline"
        cancelLabel="Keep reading"
        danger
        busy={isLeaving}
        onConfirm={decline}
      >
        <div className="mt-4">
          <TextArea
            label={messages.declineReason}
            hint={messages.declineReasonHint}
            rows={3}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      </ConfirmDialog>
    </AgreementView>
  );
}

interface AgreementViewProps {
  title: string;
  /** A {@link Party} with the id of a published idea. */
  documentId: ReactNode;
  sharer: string;
  recipient: string;
  /** The agreement itself. */
  children: ReactNode;
}

/** Subject of an agreement, above its text. */
export function AgreementView({
  title,
  documentId,
  sharer,
  recipient,
  children,
}: AgreementViewProps) {
  return (
    <PageLayout width="medium">
      <Steps current={1} />
      <PageHeading documentTitle="Non-disclosure agreement" className="mt-6 max-sm:text-2xl">
        Non-disclosure agreement
      </PageHeading>
      <dl className="mt-4 mb-6 flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Party label="Idea" value={title} />
        {documentId}
        <Party label="Shared by" value={sharer} />
        <Party label="Reader" value={recipient} />
      </dl>
      {children}
    </PageLayout>
  );
}

export function Party({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{label}</dt>
      {/* As the agreement has it, which is not translated either. */}
      <dd dir="auto" translate="no" className="font-semibold">
        {value}
      </dd>
    </div>
  );
}
