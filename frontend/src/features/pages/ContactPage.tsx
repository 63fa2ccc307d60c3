import { textLinkStyles } from "@/ui/textLinkStyles";
import { maxPdfSize, vaultContact } from "@/ui/vault";
import { mailboxesAt } from "./mailboxes";
import { OperatorContact, Section, StaticPage, Terms } from "./StaticPage";

const questions = [
  [
    "How secure is my data?",
    "Ideas and files are given out only to their author and to readers who accepted the agreement. Passwords are kept as argon2id hashes, links and sessions as hashes of random tokens, and pages load nothing from other sites. What you write is stored encrypted, but the operator of the server has the key, so choose one you trust.",
  ],
  [
    "Can I revoke access?",
    "Yes. Revoke a link on the idea's share page: from then on it opens nothing, even for people who have it open. The record of who accepted the agreement stays. Nobody can take back what a reader has already seen.",
  ],
  [
    "Are the agreements legally binding?",
    "They are designed to be: readers give their name and email, must scroll to the end, and accept a fixed text. We record its fingerprint, the time, the IP address and the browser. Whether and how a court enforces one depends on the case and the country. This is not legal advice.",
  ],
  [
    "Which file formats are supported?",
    `Ideas: text written in the editor, or PDF files of up to ${maxPdfSize()}. Images in an idea or as your photo: PNG, JPEG, GIF and WebP of up to 5 MB. Videos: links to YouTube.`,
  ],
] as const;

/** The page Contact. */
export function ContactPage() {
  return (
    <StaticPage
      title="Contact"
      lead="Each IdeaVault site is run by its own operator, who reads these mailboxes. Support typically replies within 24 hours."
    >
      <Section title="Write to us">{vaultContact() ? <OperatorContact /> : <Mailboxes />}</Section>
      <Section title="Frequently asked questions">
        <Terms items={questions} />
      </Section>
    </StaticPage>
  );
}

/** The mailboxes that every operator is asked to have. */
function Mailboxes() {
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-3">
        {mailboxesAt(location.hostname).map(({ label, address, use }) => (
          <li key={label} className="rounded-lg border border-line bg-surface p-4 shadow-soft">
            <h3 className="font-semibold">{label}</h3>
            <a href={`mailto:${address}`} className={`text-sm ${textLinkStyles}`}>
              {address}
            </a>
            <p className="mt-2 text-muted text-sm">{use}</p>
          </li>
        ))}
      </ul>
      <p className="text-muted text-sm">
        The addresses follow the host name of this installation. If one of them does not exist, ask
        the person who invited you.
      </p>
    </>
  );
}
