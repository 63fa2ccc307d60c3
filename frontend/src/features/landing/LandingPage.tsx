import { type ReactNode, Suspense } from "react";
import { LoginLink } from "@/account/LoginLink";
import { PageLayout } from "@/layout/PageLayout";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { whenIdle } from "@/ui/whenIdle";

// A drawing and the content below the fold: both load after the first text, into reserved space.
const loadBelowTheFold = async () => {
  await whenIdle();
  return import("./components/belowTheFold");
};
const Steps = lazyComponent(loadBelowTheFold, "Steps");
const RecordCard = lazyComponent(loadBelowTheFold, "RecordCard");

interface LandingPageProps {
  /** The call to action: the waitlist. */
  start: ReactNode;
  /** The idea search. */
  search: ReactNode;
}

/** The landing page. Its two tools are features of their own, passed in by the route. */
export function LandingPage({ start, search }: LandingPageProps) {
  return (
    <PageLayout visitor={<LoginLink />}>
      <div className="grid items-center gap-12 py-4 lg:grid-cols-[1.15fr_1fr] lg:py-12">
        <div>
          <PageHeading
            documentTitle="Put your idea on record"
            className="text-balance text-3xl sm:text-4xl"
          >
            Put your idea on record before you put it on the table.
          </PageHeading>
          <p className="mt-6 max-w-prose text-lg text-muted">
            Write it down, record when you wrote it, and share it with a link that opens only after
            your reader has accepted a non-disclosure agreement.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-4">
            {start}
            <p className="in-data-[registration=open]:hidden text-muted text-sm">Private beta.</p>
          </div>
        </div>
        {/* The card is there from the first paint; only its drawing is lazy. */}
        <div aria-hidden="true" className="isolate min-h-98 min-[22rem]:min-h-92">
          <div className="relative mx-auto min-h-84 max-w-md rounded-lg border border-line bg-page p-8 shadow-raised sm:min-h-78">
            <Suspense fallback={null}>
              <RecordCard />
            </Suspense>
          </div>
        </div>
      </div>
      {/* Height of the lazy content, to keep the footer in place. */}
      <div className="flow-root min-h-255 sm:min-h-232 md:min-h-175 lg:min-h-164">
        <Suspense fallback={null}>
          <Steps />
          {search}
        </Suspense>
      </div>
    </PageLayout>
  );
}
