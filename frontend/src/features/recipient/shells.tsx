import type { ReactNode } from "react";
import { Sheet } from "@/content/HtmlContent";
import { conditional, placeOfTime } from "@/ui/template";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { AgreementView, Party } from "./AgreementPage";
import { codeNote, Entry } from "./CollectPage";
import { AgreementAnswers, agreementRegionStyles } from "./components/AgreementForm";
import { CollectForm } from "./components/CollectForm";
import { LoadingPdf } from "./content/DocumentContent";
import { ActionsPlace, CommentsPlace, DocumentView } from "./DocumentPage";

/*
 * What the documents of a link's pages show before any script has run, with marks for what the
 * server fills in: only what the link itself would show that browser.
 */

/** The first page of a link, with marks for what the server knows of the link. */
export function LinkEntry() {
  return (
    <div data-preview="" className="contents">
      <Entry
        title="__IDEA_TITLE__"
        sharer="__SHARER__"
        codeNote={conditional("needs code", codeNote)}
      >
        <CollectForm token="" />
      </Entry>
    </div>
  );
}

/** Nothing can be pressed before the page runs. */
const nothing = () => undefined;

/** The beginning of the agreement. The server puts its text, as a heading and paragraphs. */
export function LinkAgreement() {
  return (
    <div data-preview="" className="contents">
      <AgreementView
        title="__IDEA_TITLE__"
        documentId={conditional(
          "document id",
          <Party label="Document ID" value="__DOCUMENT_ID__" />,
        )}
        sharer="__SHARER__"
        recipient="__RECIPIENT__"
      >
        <div className={agreementRegionStyles}>
          <div className="mx-auto max-w-2xl font-serif leading-relaxed [&>h2]:text-balance [&>h2]:text-center [&>h2]:font-semibold [&>h2]:text-lg [&>h2]:tracking-wide [&>p:first-of-type]:my-6 [&>p:first-of-type]:border-line [&>p:first-of-type]:border-y [&>p:first-of-type]:py-4 [&>p:first-of-type]:text-sm [&>p]:mt-4 [&>p]:whitespace-pre-line">
            __TEXT__
          </div>
        </div>
        <AgreementAnswers
          read={false}
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
export const LinkDocument = () => (
  <LinkContent>
    <Sheet>
      <div className="prose-document">__TEXT__</div>
    </Sheet>
  </LinkContent>
);

/** The place of the viewer, for a PDF. */
export const LinkPdf = () => (
  <LinkContent>
    <LoadingPdf />
  </LinkContent>
);

function LinkContent({ children }: { children: ReactNode }) {
  return (
    <div data-preview="" className="contents">
      <DocumentView
        title="__IDEA_TITLE__"
        facts={<LinkFacts />}
        actions={<ActionsPlace />}
        comments={<CommentsPlace />}
      >
        {children}
      </DocumentView>
    </div>
  );
}

/** As long as what the page shows there, so that the text stays where it is. */
function LinkFacts() {
  const links = ["Download the agreement", "Download your receipt", "Download evidence"];
  return (
    <>
      <span>Shared by __SHARER__</span>
      {conditional("document id", <span className="font-mono">__DOCUMENT_ID__</span>)}
      {conditional(
        "view ends",
        <span className="print:hidden">Open for you until {placeOfTime}</span>,
      )}
      {links.map((link) => (
        <span key={link} className={`${textLinkStyles} print:hidden`}>
          {link}
        </span>
      ))}
    </>
  );
}
