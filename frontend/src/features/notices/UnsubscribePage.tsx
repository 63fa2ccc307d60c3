import { useState } from "react";
import { useParams } from "react-router";
import { noticesClient } from "@/api/noticesClient";
import { PageLayout } from "@/layout/PageLayout";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";

/** Target of the unsubscribe link in emails; opening the page changes nothing. */
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
        <PageHeading key="stopped" documentTitle="Emails stopped" takesFocus>
          Emails stopped
        </PageHeading>
        <p className="mt-4">
          You will get no more of these emails. If you have an account, you can turn them on again
          on your profile page.
        </p>
        <ToProfile />
      </PageLayout>
    );
  }
  if (state === "dead") {
    return (
      <PageLayout width="narrow">
        <PageHeading key="dead" documentTitle="This link no longer works" takesFocus>
          This link no longer works
        </PageHeading>
        <p className="mt-4">
          Use the link in a newer email. If you have an account, you can also choose on your profile
          page which emails you get.
        </p>
        <ToProfile />
      </PageLayout>
    );
  }
  return (
    <PageLayout width="narrow">
      <PageHeading documentTitle="Stop emails">Stop these emails?</PageHeading>
      <p className="mt-4">
        You will no longer get emails about what happens on your links, or about replies to your
        comments. You will still get emails about your account and its security.
      </p>
      {state === "failed" && (
        <p role="alert" className="mt-4 text-danger">
          That did not work. Please try again.
        </p>
      )}
      <div className="mt-8">
        <Button busy={state === "busy"} onClick={stop}>
          Stop these emails
        </Button>
      </div>
    </PageLayout>
  );
}

function ToProfile() {
  return (
    <div className="mt-8">
      <LinkButton to={paths.profile} variant="secondary">
        Go to your profile
      </LinkButton>
    </div>
  );
}
