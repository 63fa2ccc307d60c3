import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { Recipient, SharePreview } from "@/api/generated";
import { LoadFailureScreen } from "@/layout/LoadFailureScreen";
import { StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard, paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AgreementView, Party } from "./AgreementPage";
import { ConfirmView, codeNote } from "./CollectPage";
import { AgreementAnswers, agreementRegionStyles, ViewLimit } from "./components/AgreementForm";
import { AgreementText } from "./components/AgreementText";
import { CodeForm } from "./components/CodeForm";
import { CollectForm } from "./components/CollectForm";
import { DocumentActions } from "./components/DocumentActions";
import { Entry } from "./components/Entry";
import { Verification } from "./components/Verification";
import { DocumentContent } from "./content/DocumentContent";
import { DocumentFacts, DocumentView } from "./DocumentPage";
import { messages } from "./messages";

const { useQuery: usePreview } = api.endpoints.previewShare;

/** What readers of an own link see, stage by stage. Its forms cannot be used. */
export function PreviewPage() {
  const { shareId = "" } = useParams();
  const { currentData, error, isFetching, refetch } = usePreview(
    { id: shareId },
    { refetchOnMountOrArgChange: true },
  );
  if (currentData) return <Preview key={shareId} {...currentData} />;
  if (!error) return <StatusScreen text={messages.loadingDocument} back={backToDashboard} />;
  const isMissing = [400, 404].includes(toApiError(error).status);
  return (
    <LoadFailureScreen
      title={messages.previewTitle}
      text={isMissing ? messages.previewMissing : messages.previewFailed}
      busy={isFetching}
      onRetry={refetch}
    />
  );
}

type StageName = "Your details" | "Code" | "Agreement" | "Document";

function Preview({ shared, title, nda }: SharePreview) {
  const [current, setCurrent] = useState<StageName>("Your details");
  const isByEmail = shared.shareType === "email";
  const stages: StageName[] = isByEmail
    ? ["Your details", "Code", "Agreement", "Document"]
    : ["Your details", "Agreement", "Document"];
  return (
    <>
      <section
        aria-label={messages.previewTitle}
        className="border-line border-b bg-seal-soft print:hidden"
      >
        <div className="mx-auto flex max-w-6xl flex-col gap-3 px-4 py-3 sm:px-6 lg:flex-row lg:items-center lg:justify-between">
          <p className="text-sm">
            <strong className="font-semibold">{messages.previewTitle}.</strong> {messages.preview}{" "}
            <Link to={paths.share(shared.idea.id)} className={textLinkStyles}>
              Back to the links
            </Link>
          </p>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form */}
          <div role="group" aria-label="Stages" className="flex shrink-0 flex-wrap gap-2">
            {stages.map((stage) => (
              <Button
                key={stage}
                size="sm"
                variant={stage === current ? "primary" : "secondary"}
                aria-pressed={stage === current}
                onClick={() => setCurrent(stage)}
              >
                {stage}
              </Button>
            ))}
          </div>
        </div>
      </section>
      <Stage name={current} shared={shared} title={title} nda={nda} />
    </>
  );
}

/** Stands for whoever will read. */
const reader: Recipient = {
  id: "",
  name: "[receiving party]",
  email: "reader@example.org",
  phone: null,
  agreedToNda: false,
};

/** Nothing can be pressed. */
const nothing = () => undefined;

function Stage({ name, shared, title, nda }: SharePreview & { name: StageName }) {
  const { idea } = shared;
  const { documentId, user } = idea;
  switch (name) {
    case "Your details":
      return (
        <Entry title={title} sharer={user.name} codeNote={shared.shareType === "email" && codeNote}>
          <Inert>
            <CollectForm token="" />
          </Inert>
        </Entry>
      );
    case "Code":
      return (
        <ConfirmView title={title} sharer={user.name} email={reader.email}>
          <Inert>
            <CodeForm
              token=""
              recipient={reader}
              verification={{ expiresIn: 600, triesLeft: 5, resendIn: 0 }}
              receivedAt={0}
            />
          </Inert>
        </ConfirmView>
      );
    case "Agreement":
      return (
        <AgreementView
          title={title}
          documentId={documentId && <Party label="Document ID" value={documentId} />}
          sharer={user.name}
          recipient={reader.name}
        >
          <ScrollRegion aria-label="Agreement text" className={agreementRegionStyles}>
            <AgreementText nda={nda} />
          </ScrollRegion>
          <Inert>
            <AgreementAnswers
              read={false}
              viewLimit={<ViewLimit {...shared} />}
              failure={null}
              onAgree={nothing}
              onDecline={nothing}
              onSave={nothing}
            />
          </Inert>
        </AgreementView>
      );
    case "Document":
      return (
        <DocumentView
          title={idea.title}
          facts={<DocumentFacts token="" shared={shared} receivedAt={0} />}
          actions={
            <Inert>
              <DocumentActions token="" shared={shared} />
            </Inert>
          }
          comments={
            <Panel title="Comments">
              <p className="text-muted text-sm">{messages.commentsInPreview}</p>
            </Panel>
          }
        >
          {idea.content !== null && (
            <DocumentContent
              content={idea.content}
              title={idea.title}
              token=""
              ideaId={idea.id}
              allowDownload={false}
            />
          )}
          <Verification idea={idea} />
        </DocumentView>
      );
  }
}

/** Shows what only a reader can use. */
const Inert = ({ children }: { children: ReactNode }) => <div inert>{children}</div>;
