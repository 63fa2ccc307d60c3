import { everyone, signedIn, signedOut } from "virtual:pages";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Provider } from "react-redux";
import { StaticRouter } from "react-router";
import { AuthLayout } from "@/features/auth/components/AuthLayout";
import { Portfolio } from "@/features/ideas/shells";
import { LandingPage } from "@/features/landing/LandingPage";
import { ShareAgreement, ShareDocument, ShareEntry, SharePdf } from "@/features/recipient/shells";
import { GetStarted } from "@/features/waitlist/GetStarted";
import { PageLayout } from "@/layout/PageLayout";
import { PageStatusContext } from "@/layout/pageStatus";
import { StatusLine, StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard } from "@/routing/paths";
import { createAppRuntime } from "@/store/store";
import { CookieNotice } from "@/ui/cookies/CookieBanner";
import { PageHeading } from "@/ui/PageHeading";
import { conditional } from "@/ui/template";
import type { Page } from "../../build/pages.mjs";

/*
 * The markup of each page's document before any script has run. No shell depends on the visitor or
 * on what the address refers to: what a document shows of a link or to its creator, the server fills
 * in.
 */

const verifying = "Verifying access...";
const loading = "Loading...";
const waiting = <StatusScreen text={verifying} />;
/** What is shown of a link or to its creator, while access is still being verified. */
const preview = (page: ReactNode) => awaiting(verifying, page);

/** Frames of pages that can show more than that access is being verified. */
const frames: Readonly<Record<string, ReactNode>> = {
  landing: awaiting(loading, <LandingPage start={<GetStarted />} search={null} />),
  collect: conditional("preview", preview(<ShareEntry />), waiting),
  nda: conditional("agreement", preview(<ShareAgreement />), waiting),
  document: conditional(
    "document and document.pdf",
    preview(<SharePdf />),
    conditional("document", preview(<ShareDocument />), waiting),
  ),
  // Its mailboxes depend on the host name of the installation.
  contact: awaiting(loading, <Frame heading="Contact" width="medium" />),
  // The same with and without a token: only the page itself reads it.
  resetPassword: awaiting(loading, <EmptyForm />),
  confirmEmail: awaiting(loading, <EmptyForm />),
  dashboard: conditional(
    "portfolio",
    preview(<Portfolio />),
    <Frame heading="Idea Portfolio">
      <StatusLine text={verifying} />
    </Frame>,
  ),
  profile: (
    <Frame heading="Profile" width="medium" back={backToDashboard} footerLinks={false}>
      <StatusLine text={verifying} />
    </Frame>
  ),
  share: (
    <Frame heading="Share your idea" back={backToDashboard} hasHead>
      <StatusLine text={verifying} />
    </Frame>
  ),
};

/** Names of the pages with a frame of their own. */
export const frameNames = Object.keys(frames);

/** Renders the shell of a page. */
export async function renderShell(page: Page): Promise<string> {
  if (page.shell === "page") {
    const Component = await componentOf(page);
    const markup = render(<Component />);
    return /<(form|button) /.test(markup) ? render(awaiting(loading, <Component />)) : markup;
  }
  if (page.access === "signedIn" && !(page.name in frames))
    return render(<StatusScreen text={verifying} back={backToDashboard} />);
  return render(frames[page.name] ?? waiting);
}

/** Renders the cookie question, which is the same on every page. */
export const renderCookieNotice = (): string => render(<CookieNotice onAnswer={() => undefined} />);

async function componentOf({ name, paths }: Page) {
  const route = [...everyone, ...signedOut, ...signedIn].find(({ path }) => path === paths[0]);
  if (!route) throw new Error(`The page ${name} has no route`);
  return (await route.lazy()).Component;
}

/** A page that does not react yet, with what it waits for. */
function awaiting(status: string, page: ReactNode) {
  return <PageStatusContext value={status}>{page}</PageStatusContext>;
}

function EmptyForm() {
  return (
    <AuthLayout>
      <div className="min-h-96" />
    </AuthLayout>
  );
}

type FrameProps = Partial<Omit<Parameters<typeof PageLayout>[0], "className">> & {
  heading: string;
  /** Whether the head of an idea will stand above the heading. */
  hasHead?: boolean;
};

/**
 * A page with nothing but its heading yet. Its footer is placed where no content will push it
 * down.
 */
function Frame({ heading, hasHead, children, ...layout }: FrameProps) {
  return (
    <PageLayout {...layout}>
      {/* As high as that of a short title. */}
      {hasHead && <div className="mb-6 h-19 border-line border-b" />}
      <PageHeading documentTitle={heading}>{heading}</PageHeading>
      <div className="mt-6 min-h-dvh">{children}</div>
    </PageLayout>
  );
}

function render(content: ReactNode): string {
  const { store } = createAppRuntime();
  const markup = renderToStaticMarkup(
    <Provider store={store}>
      <StaticRouter location="/">{content}</StaticRouter>
    </Provider>,
  );
  return (
    markup
      // Not every installation has a logo to load.
      .replaceAll(/<link rel="preload" as="image"[^>]*>/g, "")
      // The time of the build would be shown as the current time.
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, "<time>&nbsp;</time>")
      // Controls are disabled until the page runs: what is typed or pressed before would be lost.
      .replaceAll(/<(input|textarea)(?=[\s>])/g, '<$1 aria-disabled="true"')
      .replaceAll(/<(form|button|fieldset|search)(?=[\s>])/g, "<$1 inert")
  );
}
