import { type ReactNode, useId } from "react";
import { LoginLink } from "@/account/LoginLink";
import { PageLayout } from "@/layout/PageLayout";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { ContactLink, IfVault } from "@/ui/vault";

interface StaticPageProps {
  title: string;
  /** Small text under the title. */
  note?: string;
  /** Summary in one or two sentences. */
  lead: ReactNode;
  children: ReactNode;
}

/** A page of running text, with serif headings and a readable line length. */
export function StaticPage({ title, note, lead, children }: StaticPageProps) {
  return (
    <PageLayout width="medium" visitor={<LoginLink />}>
      <PageHeading documentTitle={title}>{title}</PageHeading>
      {note && <p className="mt-2 text-muted text-sm">{note}</p>}
      <div className="mt-4 max-w-prose text-lg text-muted">{lead}</div>
      <div className="mt-10 flex max-w-prose flex-col gap-10">{children}</div>
    </PageLayout>
  );
}

/** One titled part of a page of running text. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="wrap-anywhere">
      <h2 id={id} className="font-semibold font-serif text-xl">
        {title}
      </h2>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </section>
  );
}

/** A list of points in running text. */
export function Points({ items }: { items: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-2 pl-6 marker:text-seal">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** Short terms with their explanations. */
export function Terms({ items }: { items: readonly (readonly [string, string])[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {items.map(([term, text]) => (
        <div key={term}>
          <dt className="font-semibold">{term}</dt>
          <dd className="mt-1">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Contact of the operator, if set up. */
export function OperatorContact() {
  return (
    <IfVault has="contact">
      <p>
        You can reach the operator here: <ContactLink className={textLinkStyles} />
      </p>
    </IfVault>
  );
}
