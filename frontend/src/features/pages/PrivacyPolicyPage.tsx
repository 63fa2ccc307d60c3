import { OperatorContact, Section, StaticPage } from "./StaticPage";

/** The ten sections, numbered in this order. */
const sections = [
  [
    "Who is responsible",
    "IdeaVault is software that runs on its operator's own server. The operator of this installation is responsible for the personal data in it. The Contact page names the mailboxes; this policy describes what the software does.",
  ],
  [
    "What we collect",
    "From creators: name, email, a password (kept only as an argon2id hash), a photo if you add one, the secret of an authenticator app if you use one, and your ideas with all saved versions, unsaved text, files, links and comments. From readers of a link: name, email, a phone number if you give one, and your comments. From the waitlist: name, email and profession.",
  ],
  [
    "What is recorded automatically",
    "When a reader enters the code that confirms an email address: the time. When a reader accepts an agreement: the time, IP address, browser, and the fingerprints of the agreement's text and of the idea's version, and whether and when the email address had been confirmed. When a reader opens an idea: the time of the view. When somebody signs in: the time, IP address and browser, which the profile page shows while the session lasts, and whether we know the browser, by the cookie described below. Security events (sign-ins, changes of passwords, of two-step sign-in and of links, deleted drafts, refused sign-ins, links and codes) are recorded with the time, IP address and browser. IP addresses are also counted, for a short time and in memory, to slow down attacks. These and other events of an idea (such as versions put on record, links, files sent and comments) are also recorded as evidence, in a signed log, with the fingerprints of the details. There are no analytics and no tracking.",
  ],
  [
    "What we use it for",
    "To keep ideas and disclose them to the people their authors choose; to prove afterwards who accepted which agreement; to send the emails you ask for, such as a password reset, an invitation or a code; to email you when your password or your two-step sign-in changes, or when somebody signs in from a new browser or with a recovery code; and to protect the service. For nothing else, and never for advertising.",
  ],
  [
    "Who sees it",
    "An idea's author sees its readers' details, acceptances and views, and whether their email addresses are confirmed, and can download all this as evidence and pass it on. Readers see the author's name and the names under comments. The operator has the key to what is stored, and can read it. Nothing is sold or passed on. If the operator has set up a mail service, emails go through it.",
  ],
  [
    "Language models",
    "If the operator has set up a language model, the text you enter into the idea search and what you write to the writing assistant are sent to it to be answered. Nothing else from the vault is added, and we do not log these texts. Do not enter anything there that its provider must not see.",
  ],
  [
    "Cookies and browser storage",
    "We set only cookies that the service needs: one keeps you signed in, for at most 12 hours without use and 7 days in all; one, a random number, lets us recognize your browser, so that we email you only about sign-ins from others; others remember the link you opened and that you are the reader who registered for it. Your browser also stores your answer about cookies, your theme, your name for display, and text that you have not saved yet. A YouTube video is loaded from YouTube only when you play it.",
  ],
  [
    "How long we keep it",
    "Accounts, ideas and comments stay until they are deleted; drafts can be deleted at any time, and accounts on the profile page. Unsaved text stays until you save or discard it. Published ideas and records of accepted agreements are kept as evidence for both sides. When a creator deletes an account or a reader is erased, contents, names and addresses are deleted; the log of events stays, because it has none of them. Security events stay as long as the installation. Reset links are valid for 30 minutes, codes for 10. A browser is remembered for 180 days after its last sign-in. Backups follow the operator's rules.",
  ],
  [
    "Your rights",
    "You can ask for access, correction, deletion, restriction and a copy of your data, object to its use, and complain to a supervisory authority. Creators export and delete their data on the profile page. For everything else, write to the general mailbox on the Contact page; readers can also ask whoever shared the idea. The Data Handling page says how and when we answer.",
  ],
  [
    "Changes to this policy",
    "When the software or the operator's practice changes, this page changes with it and carries a new date. Agreements already accepted stay as they are.",
  ],
] as const;

/** The page Privacy Policy. */
export function PrivacyPolicyPage() {
  return (
    <StaticPage
      title="Privacy Policy"
      note="Last updated January 2025"
      lead="A vault has to know a few things about the people who use it. This page says which, why, and for how long."
    >
      {sections.map(([title, text], index) => (
        <Section key={title} title={`${index + 1}. ${title}`}>
          <p>{text}</p>
          {index === 0 && <OperatorContact />}
        </Section>
      ))}
    </StaticPage>
  );
}
