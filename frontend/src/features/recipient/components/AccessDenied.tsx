import { ShieldX } from "lucide-react";
import { useEffect } from "react";
import { Link } from "react-router";
import { PageLayout } from "@/layout/PageLayout";
import { paths } from "@/routing/paths";
import type { DenialReason } from "@/store/visitSlice";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";
import { UnsentComments } from "./UnsentComments";

const explanations: Record<DenialReason, string | null> = {
  dead: null,
  unreachable: "The link could not be checked just now. Trying again may help.",
  left: "Your visit has ended.",
};

/** Reason and possible remedies. */
export interface AccessDeniedProps {
  reason: DenialReason;
  /** Token of the link. */
  token?: string;
  /** Retries, when that can help. */
  onRetry?: (() => void) | undefined;
}

/** The Access Denied screen. */
export function AccessDenied({ reason, token, onRetry }: AccessDeniedProps) {
  const explanation = explanations[reason];
  useEffect(() => {
    // It replaces longer content, which may have been scrolled.
    window.scrollTo(0, 0);
  }, []);
  return (
    <PageLayout width="narrow" className="flex flex-col items-center justify-center text-center">
      <span className="mb-6 inline-flex size-16 items-center justify-center rounded-full bg-danger-soft text-danger">
        <ShieldX className="size-8" aria-hidden="true" />
      </span>
      <PageHeading documentTitle="Access Denied">Access Denied</PageHeading>
      <p className="mt-3 text-lg text-muted" role="alert">
        {messages.denied}
      </p>
      {explanation && <p className="mt-2 text-muted">{explanation}</p>}
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.home}>Return Home</LinkButton>
        {onRetry && reason !== "dead" && (
          <Button variant="secondary" onClick={onRetry}>
            {reason === "unreachable" ? "Try Again" : "Open Again"}
          </Button>
        )}
      </div>
      <p className="mt-8 text-muted text-sm">
        {messages.acceptedBefore}{" "}
        <Link to={paths.myDocuments} className={textLinkStyles}>
          {messages.seeDocuments}
        </Link>
      </p>
      {token && <UnsentComments token={token} />}
    </PageLayout>
  );
}
