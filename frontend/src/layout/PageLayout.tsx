import { type ReactNode, useContext } from "react";
import { Link } from "react-router";
import { AccountArea } from "@/account/AccountArea";
import { paths } from "@/routing/paths";
import { cx } from "@/ui/cx";
import { Logo } from "@/ui/Logo";
import { Spinner } from "@/ui/Spinner";
import { PageFooter } from "./PageFooter";
import { PageStatusContext } from "./pageStatus";

interface PageLayoutProps {
  children: ReactNode;
  /** Target and label of the optional back button. */
  back?: { to: string; label: string };
  /** Shown at the right end of the header when nobody is signed in. */
  visitor?: ReactNode;
  /** Width of the content; `full` leaves it to the page. */
  width?: "narrow" | "medium" | "wide" | "full";
  footerLinks?: boolean;
  /**
   * The page is still loading: its header offers nothing that would disappear while it is being
   * pressed.
   */
  isAwaited?: boolean;
  className?: string;
}

const widths = { narrow: "max-w-md", medium: "max-w-3xl", wide: "max-w-6xl", full: "" };

/** Header, main and footer of every page. */
export function PageLayout({
  children,
  back,
  visitor,
  width = "wide",
  footerLinks = true,
  isAwaited = false,
  className,
}: PageLayoutProps) {
  const status = useContext(PageStatusContext);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <header className="border-line border-b bg-surface print:hidden">
        <div className="mx-auto flex min-h-16 w-full max-w-6xl items-center gap-2 px-4 sm:px-6">
          {back && (
            <Link
              to={back.to}
              aria-label={`Back to ${back.label}`}
              className="-ml-2 inline-flex shrink-0 min-h-11 items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-sunken hover:text-ink"
            >
              <BackArrow />
              {back.label}
            </Link>
          )}
          <Link to={paths.home} className="inline-flex min-h-11 items-center rounded-md">
            <Logo className="shrink-0" nameClassName="signed-in:max-sm:sr-only" />
          </Link>
          <div className="ml-auto flex min-w-0 items-center gap-2">
            {!isAwaited && <AccountArea visitor={visitor} withDashboardLink={back === undefined} />}
          </div>
        </div>
      </header>
      {/* Where the toast stands: free of everything else, also when the page is scrolled. */}
      <div className="sticky top-0 z-20 h-14 bg-paper print:hidden">
        {status && (
          <p
            role="status"
            className="flex h-full items-center justify-center gap-2 text-muted text-sm"
          >
            <Spinner />
            {status}
          </p>
        )}
      </div>
      <main
        id="main"
        tabIndex={-1}
        className={cx(
          "mx-auto w-full flex-1 px-4 pb-8 outline-none sm:px-6 sm:pb-12",
          widths[width],
          className,
        )}
      >
        {children}
      </main>
      <PageFooter withLinks={footerLinks} />
    </div>
  );
}

/** Inline, so that public pages do not load the icon package. */
function BackArrow() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 fill-none stroke-current" aria-hidden="true">
      <path d="M19 12H5m7 7-7-7 7-7" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
