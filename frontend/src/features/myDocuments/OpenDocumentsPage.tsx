import { type ReactNode, useState } from "react";
import { useParams } from "react-router";
import type { MyDocuments } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { myDocumentsClient } from "@/api/myDocumentsClient";
import { randomKey } from "@/api/requestKeys";
import { readStored, store } from "@/browser/storage";
import { PageLayout } from "@/layout/PageLayout";
import { paths } from "@/routing/paths";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { DocumentList } from "./DocumentList";
import { messages } from "./messages";

const INVALID = 400;
const NOT_SHOWN = 401;

/** Names the use of the link in this tab, so that it can be sent again, also after a reload. */
function requestKey(): string {
  const stored = readStored("sessionStorage", "ideavault.documents");
  if (stored) return stored;
  const key = randomKey();
  store("sessionStorage", "ideavault.documents", key);
  return key;
}

/**
 * Target of the mailed link: shows the documents when asked to. Opening the page changes nothing,
 * because programs that scan emails open links, too.
 */
export function OpenDocumentsPage() {
  const { token = "" } = useParams();
  const [key] = useState(requestKey);
  const [state, setState] = useState<"asking" | "busy" | "dead" | "done" | MyDocuments>("asking");
  const [failure, setFailure] = useState<string | null>(null);

  const fail = (text: string) => {
    setFailure(text);
    setState("asking");
  };
  const show = async () => {
    setState("busy");
    setFailure(null);
    const opened = await myDocumentsClient.open(token, key);
    if (opened.error?.status === INVALID) return setState("dead");
    if (opened.error) return fail(explain(opened.error));
    const { data, error } = await myDocumentsClient.list();
    if (data) setState(data);
    else fail(error.status === NOT_SHOWN ? messages.open.cookies : explain(error));
  };

  if (state === "dead") return <Ended {...messages.dead} />;
  if (state === "done") return <Ended {...messages.done} />;
  if (typeof state === "object") {
    return (
      <PageLayout width="medium">
        <DocumentList shown={state} onDone={() => setState("done")} />
      </PageLayout>
    );
  }
  return (
    <PageLayout width="narrow">
      <PageHeading documentTitle={messages.title}>{messages.title}</PageHeading>
      <p className="mt-4">{messages.open.intro}</p>
      {failure && (
        <div className="mt-6">
          <Alert>{failure}</Alert>
        </div>
      )}
      <Button className="mt-8" busy={state === "busy"} onClick={show}>
        {messages.open.button}
      </Button>
    </PageLayout>
  );
}

const explain = ({ status, detail }: ApiError): string =>
  status === 0 ? messages.network : (detail ?? messages.failed);

function Ended({ title, text }: { title: string; text: ReactNode }) {
  return (
    <PageLayout width="narrow">
      <PageHeading key={title} documentTitle={title} takesFocus>
        {title}
      </PageHeading>
      <p className="mt-4">{text}</p>
      <div className="mt-8">
        <LinkButton to={paths.myDocuments} variant="secondary">
          {messages.dead.button}
        </LinkButton>
      </div>
    </PageLayout>
  );
}
