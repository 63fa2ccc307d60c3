import { Points, Section, StaticPage, Terms } from "./StaticPage";
import { TimestampVerification } from "./TimestampVerification";

const abilities = [
  "Write an idea in an editor, or import a PDF. Every save keeps the exact content, its SHA-256 fingerprint and the time at which the server received it.",
  "Publish it: the idea gets a document id and a publication time, and from then on nobody can change it, its author included.",
  "Share it by a link for one view, for a period, without limit, or for one email address that a mailed code confirms, and revoke the link at any time.",
  "Have readers give their name and accept a non-disclosure agreement before they see a word.",
  "See who registered, who accepted which text, who opened what and when, and talk with readers in comments.",
  "Download the evidence of an idea as one file that others can check without this server. It shows what was recorded here, not who had the idea first.",
];

const values = [
  [
    "Security First",
    "The server decides every access. Content leaves it only for its author and for readers who have accepted the agreement, and only while their link works.",
  ],
  [
    "Innovation Protection",
    "An idea is worth more when you can talk about it. The record of what you wrote, when, and who agreed to keep it to themselves lets you.",
  ],
  [
    "User Control",
    "You choose what is shared, with whom and for how long, and you can take a link back. The vault runs on a server of its operator's choice, and its data stays there.",
  ],
  [
    "Transparency",
    "We say what is recorded and how to check it with everyday tools. We claim no proof that you cannot repeat yourself.",
  ],
] as const;

/** The page About. */
export function AboutPage() {
  return (
    <StaticPage
      title="About Us"
      lead="IdeaVault is a vault for ideas: it keeps what you wrote and when, and opens it only to people who have agreed to keep it confidential."
    >
      <Section title="Our mission">
        <p>
          People with a good idea face a choice: keep it secret and alone, or show it and hope.
          IdeaVault gives them a third way: write it down, fix its content in time, and disclose it
          under an agreement, with a record of who saw what and when.
        </p>
      </Section>
      <Section title="What it does">
        <Points items={abilities} />
      </Section>
      <Section title="Our values">
        <Terms items={values} />
      </Section>
      <TimestampVerification />
    </StaticPage>
  );
}
