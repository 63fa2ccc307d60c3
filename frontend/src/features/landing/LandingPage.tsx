import type { ReactNode } from "react";
import { paths } from "@/app/paths";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { RecordCard } from "./components/RecordCard";
import { Steps } from "./components/Steps";

interface LandingPageProps {
  /** The call to action: the way to the waitlist. */
  start: ReactNode;
  /** The idea search. */
  search: ReactNode;
}

/** Spec section 2, Landing page. Its two tools are features of their own and are handed in. */
export function LandingPage({ start, search }: LandingPageProps) {
  return (
    <PageLayout
      actions={
        <LinkButton to={paths.login} variant="secondary" size="sm">
          Login
        </LinkButton>
      }
    >
      <div className="grid items-center gap-12 py-4 lg:grid-cols-[1.15fr_1fr] lg:py-12">
        <div>
          <PageHeading
            documentTitle="Put your idea on record"
            className="text-balance text-3xl sm:text-4xl"
          >
            Put your idea on record before you put it on the table.
          </PageHeading>
          <p className="mt-6 max-w-prose text-lg text-muted">
            Write it down, fix its text in time, and share it by a link that opens only after your
            reader has accepted a non-disclosure agreement.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-4">
            {start}
            <p className="text-muted text-sm">Private beta, by invitation.</p>
          </div>
        </div>
        <RecordCard />
      </div>
      <Steps />
      {search}
    </PageLayout>
  );
}
