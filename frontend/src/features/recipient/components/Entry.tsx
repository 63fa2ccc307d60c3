import { Eye, FileSignature, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { PageLayout } from "@/layout/PageLayout";
import { PageHeading } from "@/ui/PageHeading";
import { Steps } from "./Steps";

interface EntryProps {
  title: string;
  sharer: string;
  codeNote: ReactNode;
  /** The form. */
  children: ReactNode;
}

/** For somebody new to a link: who shares what, and the form for their details. */
export function Entry({ title, sharer, codeNote, children }: EntryProps) {
  return (
    <PageLayout>
      <div className="mx-auto grid max-w-md gap-6 lg:max-w-5xl lg:grid-cols-[1.1fr_1fr] lg:gap-14">
        <div className="wrap-anywhere min-w-0">
          <Steps current={0} />
          <PageHeading documentTitle="Your details" className="mt-6 max-sm:text-2xl">
            {sharer} would like to show you an idea
          </PageHeading>
          <p className="mt-3 border-seal border-l-2 pl-4 font-semibold font-serif text-lg">
            {title}
          </p>
          <p className="mt-4 text-muted">
            It is confidential. {sharer} asks who you are because your name and email are written
            into the agreement that you accept before reading.
            {codeNote}
          </p>
          <Assurances className="mt-8 hidden lg:flex" sharer={sharer} />
        </div>
        <section
          aria-labelledby="details-heading"
          className="min-w-0 self-start rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-8"
        >
          <h2 id="details-heading" className="mb-5 font-semibold font-serif text-xl">
            Your details
          </h2>
          {children}
        </section>
        <Assurances className="flex lg:hidden" sharer={sharer} />
      </div>
    </PageLayout>
  );
}

function Assurances({ className, sharer }: { className: string; sharer: string }) {
  const points = [
    {
      Icon: Eye,
      text: `${sharer} sees your details beside the record of your visit. Other readers see your name only if you comment.`,
    },
    { Icon: FileSignature, text: "You can read the whole agreement first, and decline it." },
    { Icon: ShieldCheck, text: "You do not need an account." },
  ];
  return (
    <ul className={`wrap-anywhere flex-col gap-3 text-muted text-sm ${className}`}>
      {points.map(({ Icon, text }) => (
        <li key={text} className="flex items-start gap-3">
          <Icon className="mt-0.5 size-4 shrink-0 text-seal" aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
