import type { ReactNode } from "react";
import type { EvidenceEvent } from "@/api/evidence";
import { messages } from "../messages";
import { CopyText, CopyTextButton } from "./CopyText";

const words = messages.proof;

/** The proof of an event: the facts that it commits to, its digest, its place, and its text. */
export function Proof({ event }: { event: EvidenceEvent }) {
  const facts = Object.entries(event.facts).flatMap(([name, fields]) =>
    fields ? [{ name, fields }] : [],
  );
  return (
    <div className="mt-2 mb-3 flex flex-col gap-5 rounded-lg border border-line bg-surface p-4 text-sm sm:p-5">
      <Part title={words.facts} hint={facts.length > 0 ? words.factsHint : words.noFacts}>
        {facts.length > 0 && (
          <div className="mt-2 grid gap-3 sm:grid-cols-2">
            {facts.map(({ name, fields }) => (
              <FactsCard key={name} name={name} fields={fields} />
            ))}
          </div>
        )}
      </Part>
      <Part title={words.digest}>
        <CopyText text={event.digest} label={words.copyDigest} />
      </Part>
      <Part title={words.place}>
        {event.index === null ? (
          <p>{words.noPlace}</p>
        ) : (
          <>
            <p className="wrap-anywhere tabular-nums">
              {messages.timeline.place(event.index)} of {event.log}
            </p>
            <p className="mt-1 text-muted">{words.files(event.index)}</p>
          </>
        )}
      </Part>
      <Part title={words.body} hint={words.bodyHint}>
        <div className="mt-2 flex items-start gap-1 rounded-md bg-sunken py-1 pr-1 pl-3">
          <pre
            translate="no"
            className="min-w-0 flex-1 whitespace-pre-wrap break-all py-2 font-mono text-xs"
          >
            {event.body}
          </pre>
          <CopyTextButton text={event.body} label={words.copyBody} />
        </div>
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

function Part({ title, hint, children }: PartProps) {
  return (
    <div className="min-w-0">
      <h4 className="mb-1 font-semibold">{title}</h4>
      {hint && <p className="text-muted">{hint}</p>}
      {children}
    </div>
  );
}

interface FactsCardProps {
  name: string;
  fields: { [field: string]: unknown };
}

function FactsCard({ name, fields }: FactsCardProps) {
  const title = messages.facts[name] ?? name;
  return (
    <div className="min-w-0 rounded-md border border-line px-3 pt-1 pb-3">
      <div className="flex items-center justify-between gap-2">
        <h5 className="font-medium">{title}</h5>
        <CopyTextButton text={JSON.stringify(fields)} label={`${words.copyFacts}: ${title}`} />
      </div>
      <dl className="flex flex-col gap-1.5">
        {Object.entries(fields)
          .filter(([field]) => field !== "salt")
          .map(([field, value]) => (
            <div key={field}>
              <dt className="text-muted text-xs">{messages.fields[field] ?? field}</dt>
              <dd className="break-all">
                <Value value={value} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value !== "string") {
    return (
      <code translate="no" className="font-mono text-xs">
        {JSON.stringify(value)}
      </code>
    );
  }
  const isMachineText = /^[0-9a-f]{64}$/.test(value);
  return isMachineText ? (
    <code translate="no" className="font-mono text-xs">
      {value}
    </code>
  ) : (
    <bdi>{messages.values[value] ?? value}</bdi>
  );
}
