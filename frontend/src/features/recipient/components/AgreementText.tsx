import { Fragment } from "react";
import type { Nda } from "@/api/generated";

/** The agreement, formatted: every word of its text, in order. */
export function AgreementText({ nda }: { nda: Nda }) {
  return (
    <div translate="no" className="mx-auto max-w-2xl font-serif leading-relaxed">
      <h2 className="text-balance text-center font-semibold text-lg tracking-wide">{nda.title}</h2>
      <dl className="my-6 grid grid-cols-[fit-content(40%)_1fr] gap-x-6 gap-y-1 border-line border-y py-4 text-sm">
        {nda.terms.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
      {nda.preamble.map((paragraph) => (
        <p key={paragraph} className="mt-4">
          {paragraph}
        </p>
      ))}
      {nda.clauses.map(({ heading, body }) => (
        <Fragment key={heading}>
          <h3 className="mt-6 break-after-avoid font-semibold">{`${heading}. `}</h3>
          <p className="mt-1">{body}</p>
        </Fragment>
      ))}
    </div>
  );
}
