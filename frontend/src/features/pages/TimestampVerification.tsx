import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/routing/paths";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { Section } from "./StaticPage";

/** Explains the 'Blockchain timestamp', and how to verify a hash independently. */
export function TimestampVerification() {
  return (
    <Section title="How timestamps are verified">
      <p>
        The label <strong>Blockchain timestamp</strong> shows a time: for a published idea the
        moment of its publication, for a draft that of its last save, both by the server's clock; in
        a page's footer the present moment, by yours. The label itself makes no entry in a public
        blockchain: what makes the time useful is what is on record with it, and who else confirms
        that record. Beside the label stands whether it is.
      </p>
      <p>
        For every save the vault keeps the number of the version, the time, and the SHA-256
        fingerprint of the exact content. That alone is not on record. A version is put on record
        when its owner says so, when a reader is first shown it, and when it is published: it is an
        event of the vault's signed log then. Every accepted agreement is on record with the
        fingerprint of its text and of the version it was accepted for. The same content always has
        the same fingerprint, and changing one letter changes it entirely, so a copy can be compared
        with the record at any time.
      </p>
      <h3 className="mt-2 font-semibold">Checking a fingerprint by hand</h3>
      <ol className="flex list-decimal flex-col gap-3 pl-6 marker:text-seal">
        <li>
          An agreement: save it with 'Download Agreement' and compute its fingerprint, on Linux with{" "}
          <Command>sha256sum NDA-Agreement-Idea-7.txt</Command>, on macOS with{" "}
          <Command>shasum -a 256</Command>, on Windows with{" "}
          <Command>certutil -hashfile FILE SHA256</Command>. The idea's owner sees the recorded one
          beside each acceptance.
        </li>
        <li>
          A written idea: its content is the HTML text in the <code translate="no">content</code>{" "}
          field of <Command>GET /api/ideas/7</Command>, as UTF-8 and without a line break at the
          end. Store the answer as <code translate="no">idea.json</code> while you are signed in,
          then run <Command>jq -j .content idea.json | sha256sum</Command>.
        </li>
        <li>
          Compare the 64 characters with the recorded SHA-256. If they are equal, so is the content.
        </li>
      </ol>
      <h3 className="mt-2 font-semibold">Checking an evidence bundle</h3>
      <p>
        The owner of an idea, and each reader who accepted its agreement, can download its evidence
        bundle, one zip file. Anybody can{" "}
        <Link to={paths.verify} className={textLinkStyles}>
          check evidence
        </Link>{" "}
        in a browser, without an account and without uploading it, or offline with public tools.
      </p>
      <p>
        A fingerprint proves that content is the same. That it existed at the recorded time rests on
        the records of this server and on its operator, unless others confirm the time: the evidence
        of an idea says who does.
      </p>
    </Section>
  );
}

function Command({ children }: { children: ReactNode }) {
  return (
    <code translate="no" className="rounded-sm bg-sunken px-1.5 py-0.5 text-sm">
      {children}
    </code>
  );
}
