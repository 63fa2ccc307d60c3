import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { publicClient } from "@/api/publicClient";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { Spinner } from "@/ui/Spinner";
import { AuthLayout } from "./components/AuthLayout";

type Outcome = "waiting" | "confirmed" | "used" | "dead" | "failed";

const outcomes: Record<Exclude<Outcome, "waiting">, { heading: string; text: string }> = {
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
    heading: "The address could not be confirmed",
    text: "The server did not answer as expected. The link still works: please try again.",
  },
};

const CONFLICT = 409;
const INVALID = 400;

/** Target of the link in the confirmation email: confirms the address at once. */
export function ConfirmEmailPage() {
  const { token } = useParams();
  const [outcome, setOutcome] = useState<Outcome>(token ? "waiting" : "dead");
  const sent = useRef<string>(undefined);

  useEffect(() => {
    // A token works once: sent twice, it would be reported as used.
    if (!token || outcome !== "waiting" || sent.current === token) return;
    sent.current = token;
    publicClient.confirmEmail({ token }).then(({ error }) => {
      sent.current = undefined;
      if (!error) setOutcome("confirmed");
      else if (error.status === CONFLICT) setOutcome("used");
      else if (error.status === INVALID) setOutcome("dead");
      else setOutcome("failed");
    });
  }, [token, outcome]);

  if (outcome === "waiting") {
    return (
      <AuthLayout>
        <PageHeading documentTitle="Confirm your email address">
          Confirm your email address
        </PageHeading>
        <p role="status" className="mt-4 flex items-center gap-3 text-muted">
          <Spinner />
          One moment...
        </p>
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
          <Button onClick={() => setOutcome("waiting")}>Try again</Button>
        ) : (
          <LinkButton to={paths.dashboard}>Go to your ideas</LinkButton>
        )}
      </div>
    </AuthLayout>
  );
}
