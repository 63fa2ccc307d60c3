import { useState } from "react";
import { useParams } from "react-router";
import { noticesClient } from "@/api/noticesClient";
import { paths } from "@/app/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

/** Where the link in a mail leads that stops mails; looking at it changes nothing. */
export function UnsubscribePage() {
  const { token = "" } = useParams();
  const [state, setState] = useState<"asking" | "busy" | "stopped" | "dead" | "failed">("asking");
  const stop = async () => {
    setState("busy");
    const { error } = await noticesClient.unsubscribe(token);
    if (!error) setState("stopped");
    else setState(error.status === 404 ? "dead" : "failed");
  };
  if (state === "stopped") {
    return (
      <PageLayout width="narrow">
        <PageHeading key="stopped" documentTitle="Mails stopped" takesFocus>
          Mails stopped
        </PageHeading>
        <p className="mt-4">
          You get no more of these mails. If you have an account, you can have them again: choose so
          on your profile page.
        </p>
        <div className="mt-8">
          <LinkButton to={paths.profile} variant="secondary">
            Go to your profile
          </LinkButton>
        </div>
      </PageLayout>
    );
  }
  return (
    <PageLayout width="narrow">
      <PageHeading documentTitle="Stop mails">Stop these mails?</PageHeading>
      <p className="mt-4">
        You will get no more mails about what happens on your links, or about answers to your
        comments. Mails about your account and its security still come.
      </p>
      {(state === "dead" || state === "failed") && (
        <p role="alert" className="mt-4 text-danger">
          {state === "dead"
            ? "This link does not work any more. Take the one in a newer mail, or change it on your profile page."
            : "That did not work. Please try again."}
        </p>
      )}
      <div className="mt-8">
        <Button busy={state === "busy"} onClick={stop}>
          Stop these mails
        </Button>
      </div>
    </PageLayout>
  );
}
