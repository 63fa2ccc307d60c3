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
import { GetStarted } from "@/features/waitlist/GetStarted";
import { CookieNotice } from "@/ui/cookies/CookieBanner";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { StatusLine, StatusScreen } from "@/ui/StatusScreen";
import { backToDashboard } from "./paths";
import { createAppRuntime } from "./store";

const verifying = "Verifying access...";

/**
 * What each route's document holds before any script has run, by the names of build/routes.json.
 * Whole pages where they are the same for everybody; elsewhere their frame and nothing else: no
 * shell depends on who asks or on what an address leads to.
 */
const shells: Record<string, ReactNode> = {
  landing: <LandingPage start={<GetStarted />} search={null} />,
  login: <LoginPage />,
  register: <RegisterPage />,
  forgotPassword: <ForgotPasswordPage />,
  about: <AboutPage />,
  // Its mailboxes depend on the address that the vault is reached at.
  contact: <Frame heading="Contact" width="medium" />,
  privacyPolicy: <PrivacyPolicyPage />,
  terms: <TermsPage />,
  dataHandling: <DataHandlingPage />,
  notFound: <NotFoundPage />,
  // With or without a token: only the page itself looks.
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
};

type FrameProps = Partial<Omit<Parameters<typeof PageLayout>[0], "className">> & {
  heading: string;
};

/** A page of which only the heading is known. Its footer stands where no content will push it. */
function Frame({ heading, children, ...layout }: FrameProps) {
  return (
    <PageLayout {...layout}>
      <PageHeading documentTitle={heading}>{heading}</PageHeading>
      <div className="mt-6 min-h-dvh">{children}</div>
    </PageLayout>
  );
}

/** The names of all shells there are. */
export const shellNames = Object.keys(shells);

/** The markup of a shell. */
export const renderShell = (name: string): string => render(shells[name]);

/** The markup of the question about cookies, the same on every page. */
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
      // Not every vault has a logo to load.
      .replaceAll(/<link rel="preload" as="image"[^>]*>/g, "")
      // The time of the build means nothing to a reader.
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, "<time>&nbsp;</time>")
      // What would be typed or pressed before the page runs would be lost.
      .replaceAll(/<(input|textarea)(?=[\s>])/g, '<$1 aria-disabled="true"')
      .replaceAll(/<(form|button|fieldset)(?=[\s>])/g, "<$1 inert")
  );
}
