import type { ReactNode } from "react";
import type { Evidence } from "@/api/evidence";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { messages } from "../messages";
import { CopyText } from "./CopyText";

const words = messages.record;

/** The version on record: its digest, its place, and the log's key. */
export function RecordPanel({ evidence }: { evidence: Evidence }) {
  const { revision, sha256, onRecord, index, log } = evidence;
  return (
    <Panel title={onRecord ? words.title : words.current}>
      <dl className="flex flex-col gap-4 text-sm">
        <Row name={words.version}>
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">Version {revision}</span>
            <Badge tone={onRecord ? "success" : "warning"}>
              {onRecord ? words.onRecord : words.notOnRecord}
            </Badge>
          </span>
        </Row>
        <Row name={words.digest}>
          <CopyText text={sha256} label={words.copyDigest} />
        </Row>
        <Row name={words.place}>
          {index !== null && <span className="tabular-nums">No. {index.toLocaleString("en")}</span>}
          {index === null && (onRecord ? words.waiting : words.noPlace)}
        </Row>
        {log && (
          <>
            <Row name={words.log}>
              <span className="wrap-anywhere">
                {log.origin} · <span className="tabular-nums">{words.size(log.size)}</span>
              </span>
            </Row>
            <Row name={words.key} className="hidden print:block">
              <code translate="no" className="break-all font-mono text-xs">
                {log.vkey}
              </code>
            </Row>
          </>
        )}
      </dl>
      {log && (
        <details className="mt-4 border-line border-t pt-2 text-sm print:hidden">
          <summary className="min-h-11 cursor-pointer content-center font-medium md:min-h-8">
            {words.key}
          </summary>
          <p className="mt-1 mb-2 text-muted">{words.keyHint}</p>
          <CopyText text={log.vkey} label={words.copyKey} />
        </details>
      )}
    </Panel>
  );
}

interface RowProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Row({ name, className = "min-w-0", children }: RowProps) {
  return (
    <div className={className}>
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}
