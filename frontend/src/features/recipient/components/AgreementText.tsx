import { useMemo } from "react";
import { type AgreementPart, parseAgreement } from "../agreementText";

/** The server's agreement, formatted. Contains every word of `text`, in order. */
export function AgreementText({ text }: { text: string }) {
  const { title, parts } = useMemo(() => parseAgreement(text), [text]);
  return (
    <div translate="no" className="mx-auto max-w-2xl font-serif leading-relaxed">
      <h2 className="text-balance text-center font-semibold text-lg tracking-wide">{title}</h2>
      {parts.map((part) => (
        <Part key={part.id} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: AgreementPart }) {
  if (part.kind === "terms") {
    return (
      <dl className="my-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-line border-y py-4 text-sm">
        {part.terms.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    );
  }
  if (part.kind === "clause") {
    return (
      <>
        <h3 className="mt-6 break-after-avoid font-semibold">{`${part.heading}. `}</h3>
        <p className="mt-1">{part.body}</p>
      </>
    );
  }
  return <p className="mt-4 whitespace-pre-line">{part.body}</p>;
}
