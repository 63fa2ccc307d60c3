import { DoorClosed } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { EndedVisit } from "@/api/generated";
import { PageLayout } from "@/layout/PageLayout";
import { paths } from "@/routing/paths";
import { agreementUrl, receiptUrl } from "@/sharing/agreement";
import { useAppDispatch } from "@/store/hooks";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { buttonStyles } from "@/ui/buttonStyles";
import { formatDateTime } from "@/ui/dates";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { reopenShare } from "../leaving";
import { messages } from "../messages";
import { ANEW } from "../visit";
import { UnsentComments } from "./UnsentComments";

export interface VisitEndedProps {
  /** Token of the link. */
  token: string;
  ended: EndedVisit;
}

/** For a reader who had agreed and may not read now: since when, why, and what is left. */
export function VisitEnded({ token, ended: { reason, at, recipientId } }: VisitEndedProps) {
  const dispatch = useAppDispatch();
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    // It replaces longer content, which may have been scrolled.
    window.scrollTo(0, 0);
  }, []);

  const open = async () => {
    setOpening(true);
    setFailure(null);
    const error = await dispatch(reopenShare(token));
    if (!error || error.status === 404) return;
    setOpening(false);
    setFailure(error.detail ?? messages.reopenFailed);
  };

  return (
    <PageLayout width="narrow" className="flex flex-col items-center justify-center text-center">
      <span className="mb-6 inline-flex size-16 items-center justify-center rounded-full bg-seal-soft text-seal">
        <DoorClosed className="size-8" aria-hidden="true" />
      </span>
      <PageHeading documentTitle={messages.ended.title} takesFocus>
        {messages.ended.title}
      </PageHeading>
      <p className="mt-3 text-lg text-muted">
        {messages.ended[reason](at ? ` on ${formatDateTime(at)}` : "")} {messages.ended.agreed}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <a href={receiptUrl(recipientId)} download className={buttonStyles("secondary", "md")}>
          Download your receipt
        </a>
        <a href={agreementUrl(recipientId)} download className={buttonStyles("secondary", "md")}>
          Download the agreement
        </a>
      </div>
      <p className="mt-2 text-muted text-sm">{messages.ended.kept}</p>
      {failure && (
        <div className="mt-6">
          <Alert>{failure}</Alert>
        </div>
      )}
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {reason === "closed" && (
          <>
            <Button busy={opening} onClick={open}>
              Open Again
            </Button>
            <Button
              variant="secondary"
              onClick={() => navigate(paths.collect(token), { state: ANEW })}
            >
              Enter other details
            </Button>
          </>
        )}
        <LinkButton to={paths.home} variant={reason === "closed" ? "ghost" : "primary"}>
          Return Home
        </LinkButton>
      </div>
      <UnsentComments token={token} />
    </PageLayout>
  );
}
