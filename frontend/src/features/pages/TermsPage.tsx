import { textLinkStyles } from "@/ui/textLinkStyles";
import { IfVault, vaultTerms } from "@/ui/vault";
import { OperatorContact, Section, StaticPage } from "./StaticPage";

const sections = [
  [
    "Who offers this service",
    "IdeaVault is software that runs on its operator's own server. The operator of this installation offers the service to you, and these terms are between the two of you. The Contact page names the mailboxes.",
  ],
  [
    "Your account",
    "Give your own name and an email address that you can read. Keep your password to yourself, and tell the operator if you think that somebody else has used your account. You may stop using the service at any time.",
  ],
  [
    "Your ideas stay yours",
    "What you write or upload belongs to you. You allow the operator only what the service needs to work: storing it, backing it up, and showing it to you and to the people you share it with.",
  ],
  [
    "What you may upload",
    "Upload only what you have the right to store and share. Nothing unlawful, nothing harmful to others or to the service, and no messages that people have not asked for.",
  ],
  [
    "Publishing",
    "Publishing fixes the text of an idea and records the time of the server's clock. It is final: a published idea can no longer be changed, and is deleted only with the whole account. The record is evidence, not a patent and not a registration with any authority.",
  ],
  [
    "Sharing and agreements",
    "A reader accepts a non-disclosure agreement before an idea opens. That agreement is between you and the reader; the operator is not a party to it and does not enforce it. Nobody can take back what a reader remembers or photographs.",
  ],
  [
    "Readers",
    "If you open a link, give your real name and your own email address. They are written into the agreement, and whoever shared the idea sees them.",
  ],
  [
    "Availability and liability",
    "The service is provided with care, but without a promise that it is always available or free of faults. Keep your own copy of what you cannot do without. Nothing here limits rights that the law gives you.",
  ],
  [
    "Ending the service",
    "The operator may close an account that breaks these terms. Records of accepted agreements are kept as evidence for both sides, also after an account is gone.",
  ],
  [
    "Changes to these terms",
    "When these terms change, this page changes with them. Agreements already accepted stay as they are.",
  ],
] as const;

/** The terms that the register screen links to. */
export function TermsPage() {
  return (
    <StaticPage
      title="Terms of Service"
      lead="What you can expect from this service, and what it expects from you, in plain words."
    >
      <IfVault has="terms" otherwise={<BuiltInTerms />}>
        <p className="wrap-anywhere">
          The operator of this vault has terms of its own:{" "}
          <a href={vaultTerms()} className={textLinkStyles}>
            {vaultTerms()}
          </a>
        </p>
        <OperatorContact />
      </IfVault>
    </StaticPage>
  );
}

const BuiltInTerms = () =>
  sections.map(([title, text], index) => (
    <Section key={title} title={`${index + 1}. ${title}`}>
      <p>{text}</p>
      {index === 0 && <OperatorContact />}
    </Section>
  ));
