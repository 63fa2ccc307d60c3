import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Provider } from "react-redux";
import { StaticRouter } from "react-router";
import { AuthLayout } from "@/features/auth/components/AuthLayout";
import { ForgotPasswordPage } from "@/features/auth/ForgotPasswordPage";
import { LoginPage } from "@/features/auth/LoginPage";
import { RegisterPage } from "@/features/auth/RegisterPage";
import { LandingPage } from "@/features/landing/LandingPage";
import { UnsubscribePage } from "@/features/notices/UnsubscribePage";
import { AboutPage } from "@/features/pages/AboutPage";
import { DataHandlingPage } from "@/features/pages/DataHandlingPage";
import { NotFoundPage } from "@/features/pages/NotFoundPage";
import { PrivacyPolicyPage } from "@/features/pages/PrivacyPolicyPage";
import { TermsPage } from "@/features/pages/TermsPage";
import { RecordPage } from "@/features/record/RecordPage";
import { VerifyPage } from "@/features/verify/VerifyPage";
import { GetStarted } from "@/features/waitlist/GetStarted";
import { PageLayout } from "@/layout/PageLayout";
import { StatusLine, StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard } from "@/routing/paths";
import { createAppRuntime } from "@/store/store";
import { CookieNotice } from "@/ui/cookies/CookieBanner";
import { PageHeading } from "@/ui/PageHeading";

const verifying = "Verifying access...";

/**
 * The markup of each route's document before any script has run, by the names of build/routes.json:
 * whole pages where they are the same for everybody, elsewhere only their frame. No shell depends
 * on the visitor or on what the address refers to.
 */
const shells: Record<string, ReactNode> = {
  landing: <LandingPage start={<GetStarted />} search={null} />,
  login: <LoginPage />,
  register: <RegisterPage />,
  forgotPassword: <ForgotPasswordPage />,
  about: <AboutPage />,
  // Its mailboxes depend on the host name of the installation.
  contact: <Frame heading="Contact" width="medium" />,
  privacyPolicy: <PrivacyPolicyPage />,
  terms: <TermsPage />,
  dataHandling: <DataHandlingPage />,
  verify: <VerifyPage />,
  record: <RecordPage />,
  notFound: <NotFoundPage />,
  // The same with and without a token: only the page itself reads it.
  resetPassword: (
    <AuthLayout>
      <div className="min-h-96" />
    </AuthLayout>
  ),
  confirmEmail: (
    <AuthLayout>
      <div className="min-h-96" />
    </AuthLayout>
  ),
  unsubscribe: <UnsubscribePage />,
  collect: <StatusScreen text={verifying} />,
  nda: <StatusScreen text={verifying} />,
  document: <StatusScreen text={verifying} />,
  dashboard: (
    <Frame heading="Idea Portfolio">
      <StatusLine text={verifying} />
    </Frame>
  ),
  profile: (
    <Frame heading="Profile" width="medium" back={backToDashboard} footerLinks={false}>
      <StatusLine text={verifying} />
    </Frame>
  ),
  share: (
    <Frame heading="Share your idea" back={backToDashboard}>
      <StatusLine text={verifying} />
    </Frame>
  ),
  editor: <StatusScreen text={verifying} back={backToDashboard} />,
  // Its heading is the idea's title.
  evidence: <StatusScreen text={verifying} back={backToDashboard} />,
};

type FrameProps = Partial<Omit<Parameters<typeof PageLayout>[0], "className">> & {
  heading: string;
};

/**
 * A page of which only the heading is known. Its footer is placed where no content will push it
 * down.
 */
function Frame({ heading, children, ...layout }: FrameProps) {
  return (
    <PageLayout {...layout}>
      <PageHeading documentTitle={heading}>{heading}</PageHeading>
      <div className="mt-6 min-h-dvh">{children}</div>
    </PageLayout>
  );
}

/** Names of all shells. */
export const shellNames = Object.keys(shells);

/** Renders a shell. */
export const renderShell = (name: string): string => render(shells[name]);

/** Renders the cookie question, which is the same on every page. */
export const renderCookieNotice = (): string => render(<CookieNotice onAnswer={() => undefined} />);

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
      .replaceAll(/<(form|button|fieldset)(?=[\s>])/g, "<$1 inert")
  );
}
