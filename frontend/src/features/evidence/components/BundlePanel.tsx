import { Award, ScrollText } from "lucide-react";
import { Link } from "react-router";
import { bundleUrl, certificateUrl } from "@/api/evidence";
import { reportUrl } from "@/api/report";
import { paths } from "@/routing/paths";
import { buttonStyles } from "@/ui/buttonStyles";
import { Panel } from "@/ui/Panel";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";
import { DownloadEvidence } from "./DownloadEvidence";

interface BundlePanelProps {
  ideaId: number;
  /** Only a published idea has a certificate. */
  isPublished: boolean;
}

/** The evidence as a file, and on paper. */
export function BundlePanel({ ideaId, isPublished }: BundlePanelProps) {
  return (
    <div className="print:hidden">
      <Panel title={messages.bundle.title}>
        <p className="mb-4 text-muted text-sm">{messages.bundle.hint}</p>
        <DownloadEvidence url={bundleUrl(ideaId)} />
        {isPublished && (
          <>
            <a
              href={certificateUrl(ideaId)}
              download
              className={buttonStyles("secondary", "md", "mt-5 w-full")}
            >
              <Award className="size-4" aria-hidden="true" />
              {messages.bundle.certificate}
            </a>
            <p className="mt-2 mb-2 text-muted text-sm">{messages.bundle.certificateHint}</p>
          </>
        )}
        <a
          href={reportUrl(ideaId, "pdf")}
          download
          className={buttonStyles("secondary", "md", "mt-3 w-full")}
        >
          <ScrollText className="size-4" aria-hidden="true" />
          {messages.bundle.report}
        </a>
        <p className="mt-2 text-muted text-sm">
          {messages.bundle.reportHint}{" "}
          <a
            href={reportUrl(ideaId, "html")}
            target="_blank"
            rel="noopener"
            className={textLinkStyles}
          >
            {messages.bundle.print}
          </a>
        </p>
        <p className="mt-3 text-center text-sm">
          <Link to={paths.verify} className={`inline-block py-1.5 ${textLinkStyles}`}>
            {messages.bundle.check}
          </Link>
        </p>
      </Panel>
    </div>
  );
}
