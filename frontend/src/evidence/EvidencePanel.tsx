import { Link } from "react-router";
import { useEvidenceStateQuery } from "@/api/evidence";
import type { Idea } from "@/api/generated";
import { paths } from "@/routing/paths";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { levelOf } from "./confirmations";
import { messages } from "./messages";
import { RecordButton } from "./RecordButton";
import { Seal } from "./Seal";

interface EvidencePanelProps {
  /** Its state is loaded again when these change. */
  idea: Pick<Idea, "id" | "revision" | "status">;
}

/** The seal of an idea, which leads to the evidence. */
export function EvidencePanel({ idea: { id, revision, status } }: EvidencePanelProps) {
  const { data, isError } = useEvidenceStateQuery(
    { id, revision, status },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <section
      aria-label={messages.title}
      className="relative flex min-h-24 items-center gap-4 rounded-lg border border-line bg-surface p-4 shadow-soft hover:border-line-strong sm:px-5"
    >
      {data ? (
        <Seal level={levelOf(data)} className="size-16" small />
      ) : (
        <span className="size-16 shrink-0 rounded-full border border-line border-dashed" />
      )}
      <div className="min-w-0">
        <p className="font-semibold font-serif text-lg leading-snug">
          {data && messages.level[levelOf(data)]}
          {isError && <span className="text-base text-muted">{messages.stateFailed}</span>}
        </p>
        {data && !data.onRecord && data.recordedAt !== null && (
          <p className="text-muted text-sm">The current version is not on record.</p>
        )}
        <Link
          to={paths.evidence(id)}
          className={`mt-0.5 inline-block py-1 text-sm after:absolute after:inset-0 ${textLinkStyles}`}
        >
          {messages.open}
        </Link>
        {data && !data.onRecord && status === "draft" && (
          <div>
            <RecordButton ideaId={id} revision={data.revision} />
          </div>
        )}
      </div>
    </section>
  );
}
