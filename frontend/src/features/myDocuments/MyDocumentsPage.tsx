import { useState } from "react";
import { PageLayout } from "@/layout/PageLayout";
import { Button } from "@/ui/Button";
import { PageHeading } from "@/ui/PageHeading";
import { messages } from "./messages";
import { RequestForm } from "./RequestForm";

const { sent: words } = messages;

/** Asks for an address, and mails a link to what was shown to it. */
export function MyDocumentsPage() {
  const [email, setEmail] = useState("");
  const [stage, setStage] = useState<"asking" | "sent" | "asking again">("asking");
  if (stage === "sent") {
    return (
      <PageLayout width="narrow">
        <PageHeading key="sent" documentTitle={words.title} takesFocus>
          {words.title}
        </PageHeading>
        <p className="wrap-anywhere mt-4">
          If anything was shown to <strong translate="no">{email}</strong> in this vault, we have
          sent a link to the list. It works once, within 30 minutes.
        </p>
        <p className="mt-4 text-muted">{words.nothing}</p>
        <Button variant="secondary" className="mt-8" onClick={() => setStage("asking again")}>
          {words.again}
        </Button>
      </PageLayout>
    );
  }
  return (
    <PageLayout width="narrow">
      <PageHeading key="form" documentTitle={messages.title} takesFocus={stage === "asking again"}>
        {messages.title}
      </PageHeading>
      <p className="mt-4 text-muted">{messages.intro}</p>
      <RequestForm
        initialEmail={email}
        onSent={(address) => {
          setEmail(address);
          setStage("sent");
        }}
      />
    </PageLayout>
  );
}
