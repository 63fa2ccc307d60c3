import { Link } from "react-router";
import { paths } from "@/routing/paths";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { Points, Section, StaticPage, Terms } from "./StaticPage";

const rights = [
  ["Access", "Learn which data about you is kept, and get a copy of it."],
  ["Rectification", "Have wrong data corrected. You can change your name and photo yourself."],
  [
    "Erasure",
    "Have your data deleted. Creators delete their account on the profile page; readers ask whoever shared the idea with them, or the operator. The record keeps that somebody accepted an agreement and when, but no longer who.",
  ],
  ["Restriction", "Have your data kept but not used while a question about it is settled."],
  [
    "Portability",
    "Get what you entered in a machine-readable format. Creators export everything on the profile page.",
  ],
  ["Objection", "Object to a use of your data on grounds relating to your situation."],
  ["Complaint", "Complain to your country's data protection authority."],
] as const;

const principles = [
  "Lawfulness and transparency: we process data only to run the vault, and we say what we do.",
  "Purpose limitation: data given for an agreement serves that agreement and nothing else.",
  "Data minimization: a reader gives a name and an email; the phone number is optional.",
  "Accuracy: the server takes names and times from its own records, not from the browser.",
  "Storage limitation: sessions, reset links, codes and views expire by themselves.",
  "Integrity and confidentiality: every request is checked on the server, at the moment it is made.",
];

const measures = [
  "Passwords are hashed with argon2id; sessions, known browsers, links to ideas and reset links are stored as hashes of random 256-bit tokens.",
  "Scripts cannot read session cookies, and requests that other sites make do not carry them. Changing the password ends all other sessions.",
  "Ideas, files and comments are given out only to people entitled to them at that moment. A revoked or expired link opens nothing.",
  "Active content is removed from documents when they are saved, and again when they are shown. Pages run no scripts but the vault's own.",
  "Images are encoded anew before they are stored, without the location and camera data they may carry.",
  "A link for one address opens only with a six-digit code that is emailed to it. A code works once, for 10 minutes and 5 tries, and is stored only as a hash made with a secret key.",
  "Two-step sign-in, if you turn it on, asks for a code from an authenticator app as well as the password. Its secret is stored encrypted, recovery codes as hashes; each code works once.",
  "You get an email when your password changes and when somebody signs in to your account from a new browser.",
  "Repeated attempts to sign in, to guess a link or to guess a code are slowed down.",
  "Records of accepted agreements are never changed. When a person is erased, name, address and the text of the agreement go; that it was accepted, and when, stays provable.",
  "What happens to an idea is also written to a signed log, which can only grow. Names, addresses and texts are kept apart from it, encrypted; the log has only salted fingerprints of them.",
  "Ideas with all versions and unsaved text, comments, readers' details and files are stored encrypted, with a key for each idea and each file. A master key that is in neither the database nor its backups protects these keys. Deleting a draft destroys its key.",
  "Accounts, the waitlist and the list of security events are only as safe as the operator's disks. On its way to you, everything is encrypted by the operator's HTTPS.",
];

/** The page Data Handling and GDPR. */
export function DataHandlingPage() {
  return (
    <StaticPage
      title="Data Handling"
      note="Data handling and the General Data Protection Regulation (GDPR)"
      lead="How this installation treats personal data, which rights you have, and how fast we answer."
    >
      <Section title="Your rights">
        <Terms items={rights} />
      </Section>
      <Section title="Our principles">
        <Points items={principles} />
      </Section>
      <Section title="Security measures">
        <Points items={measures} />
      </Section>
      <Section title="Data breaches">
        <p>
          If there is a personal data breach, the operator notifies the supervisory authority, and
          the people affected if they are at risk, within 72 hours of learning of it.
        </p>
      </Section>
      <Section title="How we answer requests">
        <p>
          Write to the general mailbox on the{" "}
          <Link to={paths.contact} className={textLinkStyles}>
            Contact
          </Link>{" "}
          page, from the address that the request is about. We answer within one month. For a
          complex request, this can be extended by two months; if so, we tell you within the first.
        </p>
      </Section>
    </StaticPage>
  );
}
