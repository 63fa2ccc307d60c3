import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { Recipient, SharedIdea } from "@/api/generated";
import { publicClient } from "@/api/publicClient";
import { useAppDispatch } from "@/app/hooks";
import { paths } from "@/app/paths";
import { fetchEngine } from "@/pdf/fetchEngine";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { StatusScreen } from "@/ui/StatusScreen";
import { errorToast, toastShown } from "@/ui/toast/toastSlice";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { useIsShown } from "@/ui/useIsShown";
import { AgreementForm } from "./components/AgreementForm";
import { AccessDenied } from "./components/LazyAccessDenied";
import { Steps } from "./components/Steps";
import { VisitGate } from "./components/VisitGate";
import { clearVisit, declineVisit } from "./leaving";
import { messages } from "./messages";
import { pause, VERIFICATION_DELAY_MS } from "./pause";
import { recipientStored } from "./recipientSlice";
import { startVisit } from "./visit";
import { visitForgotten } from "./visitSlice";

/** Spec section 2, NDA. */
export function NdaPage() {
  const dispatch = useAppDispatch();
  return (
    <VisitGate screen="nda">
      {(token, shared) => {
        const { nda, recipient } = shared;
        // The server sends both at this stage; without them there is nothing to agree to.
        if (!nda || !recipient) {
          return <AccessDenied reason="unreachable" onRetry={() => dispatch(startVisit(token))} />;
        }
        return <Nda token={token} shared={shared} nda={nda} recipient={recipient} />;
      }}
    </VisitGate>
  );
}

/**
 * What PDFs take is the longest download of all. There is time for it while somebody reads, and
 * what kind of document comes next, nobody is told before they agreed: so everybody fetches it.
 */
const preloadPdf = async () => fetchEngine();

interface NdaProps {
  token: string;
  shared: SharedIdea;
  nda: NonNullable<SharedIdea["nda"]>;
  recipient: Recipient;
}

function Nda({ token, shared, nda, recipient }: NdaProps) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isShown = useIsShown();
  useIdleLoad(preloadPdf);
  const [encrypting, setEncrypting] = useState(false);
  const [declining, setDeclining] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const agree = async () => {
    setEncrypting(true);
    setFailure(null);
    const { data, error } = await publicClient.agreeToNda(recipient.id);
    if (error) {
      setEncrypting(false);
      setFailure(error.status === 404 ? messages.denied : messages.agreeFailed);
      dispatch(errorToast(messages.agreeFailed));
      return;
    }
    dispatch(recipientStored(data));
    // Code only: asking for the document itself would count a view before anybody looks.
    import("./DocumentPage").then(
      ({ preloadDocument }) => preloadDocument(),
      () => undefined,
    );
    await pause(VERIFICATION_DELAY_MS);
    // Elsewhere, or back here: the next screen of the visit asks the server by itself.
    if (!isShown()) return;
    dispatch(visitForgotten());
    await navigate(paths.document(token), { replace: true });
  };

  const decline = async () => {
    setDeclining(false);
    dispatch(toastShown(messages.declined));
    await dispatch(declineVisit(token));
    await navigate(paths.home);
    await dispatch(clearVisit());
  };

  useEffect(() => {
    // The screen that waits is shorter than the agreement was.
    if (encrypting) window.scrollTo(0, 0);
  }, [encrypting]);

  if (encrypting) return <StatusScreen text={messages.encrypting} />;
  return (
    <PageLayout width="medium">
      <Steps current={1} />
      <PageHeading documentTitle="Non-disclosure agreement" className="mt-6 max-sm:text-2xl">
        Non-disclosure agreement
      </PageHeading>
      <Parties shared={shared} recipient={recipient} />
      <AgreementForm
        nda={nda}
        ideaId={shared.idea.id}
        failure={failure}
        onAgree={agree}
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
        onConfirm={decline}
      />
    </PageLayout>
  );
}

function Parties({ shared: { idea }, recipient }: { shared: SharedIdea; recipient: Recipient }) {
  const rows = [
    { label: "Idea", value: idea.title },
    ...(idea.documentId ? [{ label: "Document ID", value: idea.documentId }] : []),
    { label: "Shared by", value: idea.user.name },
    { label: "Recipient", value: recipient.name },
  ];
  return (
    <dl className="mt-4 mb-6 flex flex-wrap gap-x-8 gap-y-2 text-sm">
      {rows.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted">{label}</dt>
          <dd dir="auto" className="font-semibold">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
