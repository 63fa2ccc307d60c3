import { useEffect, useState } from "react";
import { useParams } from "react-router";
import type { ConfirmationView } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { Spinner } from "@/ui/Spinner";
import { AuthLayout } from "./components/AuthLayout";
import { ConfirmEmailForm } from "./components/ConfirmEmailForm";

type Outcome = "confirmed" | "used" | "dead" | "failed";

const outcomes: Record<Outcome, { heading: string; text: string }> = {
  confirmed: {
    heading: "Your email address is confirmed",
    text: "You can share your ideas now.",
  },
  used: {
    heading: "This link has already been used",
    text: "The email address is confirmed. There is nothing left to do.",
  },
  dead: {
    heading: "This link no longer works",
    text: "Each link works for three days, or until you ask for a new one. Sign in and choose “Send the email again” to get one.",
  },
  failed: {
    heading: "The server did not answer as expected",
    text: "Please try again. If the address is confirmed already, this page says so then.",
  },
};

const CONFLICT = 409;
const INVALID = 400;

function outcomeOf({ status }: ApiError): Outcome {
  if (status === CONFLICT) return "used";
  return status === INVALID ? "dead" : "failed";
}

/**
 * Target of the link in the confirmation email: says whose account it is, and confirms the address
 * when asked to. Programs that scan emails open links, too.
 */
export function ConfirmEmailPage() {
  const { token } = useParams();
  const [outcome, setOutcome] = useState<Outcome | null>(token ? null : "dead");
  const [seen, setSeen] = useState<ConfirmationView>();

  useEffect(() => {
    if (!token || outcome || seen) return;
    let isShown = true;
    publicClient.lookAtConfirmation({ token }).then(({ data, error }) => {
      if (!isShown) return;
      if (error) setOutcome(outcomeOf(error));
      else setSeen(data);
    });
    return () => {
      isShown = false;
    };
  }, [token, outcome, seen]);

  const lookAgain = () => {
    setSeen(undefined);
    setOutcome(null);
  };

  if (!outcome) {
    return (
      <AuthLayout>
        <PageHeading documentTitle="Confirm your email address">
          Confirm your email address
        </PageHeading>
        {token && seen ? (
          <ConfirmEmailForm
            token={token}
            {...seen}
            onConfirmed={() => setOutcome("confirmed")}
            onFailed={(error) => setOutcome(outcomeOf(error))}
            onSignedOut={lookAgain}
          />
        ) : (
          <p role="status" className="mt-4 flex items-center gap-3 text-muted">
            <Spinner />
            One moment...
          </p>
        )}
      </AuthLayout>
    );
  }
  const { heading, text } = outcomes[outcome];
  return (
    <AuthLayout>
      <PageHeading key={outcome} documentTitle={heading} takesFocus>
        {heading}
      </PageHeading>
      <p className="mt-4 text-muted">{text}</p>
      <div className="mt-8 flex flex-col gap-3">
        {outcome === "failed" ? (
          <Button onClick={lookAgain}>Try again</Button>
        ) : (
          <LinkButton to={paths.dashboard}>Go to your ideas</LinkButton>
        )}
      </div>
    </AuthLayout>
  );
}
