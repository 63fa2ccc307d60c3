import type { ReactNode } from "react";
import { Sheet } from "@/content/HtmlContent";
import { conditional, placeOfTime, variable } from "@/ui/template";
import { viewWindow } from "@/ui/vault";
import { AgreementView, Party } from "./AgreementPage";
import { codeNote } from "./CollectPage";
import { AgreementAnswers, agreementRegionStyles } from "./components/AgreementForm";
import { CollectForm } from "./components/CollectForm";
import { Entry } from "./components/Entry";
import { LoadingPdf } from "./content/DocumentContent";
import { ActionsPlace, CommentsPlace, DocumentView, downloadLinkStyles } from "./DocumentPage";
import { messages } from "./messages";

/*
 * The documents of a share's pages before any script has run, with places for what the
 * server fills in: only what the share itself would show that browser.
 */

/** The first page of a share, with places for what the server knows of it. */
export function ShareEntry() {
  return (
    <div data-preview="" className="contents">
      <Entry
        title={variable("preview.title")}
        sharer={variable("preview.sharer")}
        codeNote={conditional("preview.needs_code", codeNote)}
      >
        <CollectForm token="" />
      </Entry>
    </div>
  );
}

/** Nothing can be pressed before the page runs. */
const nothing = () => undefined;

/** The beginning of the agreement. The server puts its text, as a heading and paragraphs. */
export function ShareAgreement() {
  return (
    <div data-preview="" className="contents">
      <AgreementView
        title={variable("agreement.title")}
        documentId={conditional(
          "agreement.document_id",
          <Party label="Document ID" value={variable("agreement.document_id")} />,
        )}
        sharer={variable("agreement.sharer")}
        recipient={variable("agreement.recipient")}
      >
        <div translate="no" className={agreementRegionStyles}>
          <div className="mx-auto max-w-2xl font-serif leading-relaxed [&>h2]:text-balance [&>h2]:text-center [&>h2]:font-semibold [&>h2]:text-lg [&>h2]:tracking-wide [&>p:first-of-type]:my-6 [&>p:first-of-type]:border-line [&>p:first-of-type]:border-y [&>p:first-of-type]:py-4 [&>p:first-of-type]:text-sm [&>p]:mt-4 [&>p]:whitespace-pre-line">
            {variable("agreement.text")}
          </div>
        </div>
        <AgreementAnswers
          read={false}
          viewLimit={conditional("agreement.has_end", <p>{messages.viewLasts(viewWindow())}</p>)}
          failure={null}
          onAgree={nothing}
          onDecline={nothing}
          onSave={nothing}
        />
      </AgreementView>
    </div>
  );
}

/** The beginning of the document. The server puts its text. */
export const ShareDocument = () => (
  <ShareContent>
    <Sheet>
      <div className="prose-document">{variable("document.text")}</div>
    </Sheet>
  </ShareContent>
);

/** The place of the viewer, for a PDF. */
export const SharePdf = () => (
  <ShareContent>
    <LoadingPdf />
  </ShareContent>
);

function ShareContent({ children }: { children: ReactNode }) {
  return (
    <div data-preview="" className="contents">
      <DocumentView
        title={variable("document.title")}
        facts={<ShareFacts />}
        actions={<ActionsPlace />}
        comments={<CommentsPlace />}
      >
        {children}
      </DocumentView>
    </div>
  );
}

/** As long as what the page shows there, so that the text stays where it is. */
function ShareFacts() {
  const links = ["Download the agreement", "Download your receipt", "Download evidence"];
  return (
    <>
      <span>Shared by {variable("document.sharer")}</span>
      {conditional(
        "document.document_id",
        <span translate="no" className="font-mono">
          {variable("document.document_id")}
        </span>,
      )}
      {conditional(
        "document.has_end",
        <span className="print:hidden">Open for you until {placeOfTime}</span>,
      )}
      {links.map((link) => (
        <span key={link} className={downloadLinkStyles}>
          {link}
        </span>
      ))}
    </>
  );
}
