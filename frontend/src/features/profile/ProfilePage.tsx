import { Suspense } from "react";
import { ConfirmAddress } from "@/account/ConfirmAddress";
import { useLogout } from "@/account/useLogout";
import { useGetCurrentUserQuery } from "@/api/enhanced";
import type { User } from "@/api/generated";
import { PageLayout } from "@/layout/PageLayout";
import { backToDashboard } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LoadFailure } from "@/ui/LoadFailure";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { Panel } from "@/ui/Panel";
import { Spinner } from "@/ui/Spinner";
import { NotificationsSection } from "./components/NotificationsSection";
import { PasswordSection } from "./components/PasswordSection";
import { PhotoField } from "./components/PhotoField";
import { SessionsSection } from "./components/SessionsSection";
import { StorageSection } from "./components/StorageSection";
import { DataSection } from "./data/DataSection";
import { messages } from "./messages";

// Forms are large: loaded after the page around them.
const ProfileForm = lazyComponent(() => import("./components/ProfileForm"), "ProfileForm");

const TwoFactorSection = lazyComponent(
  () => import("./twoFactor/TwoFactorSection"),
  "TwoFactorSection",
);

/** The profile page. */
export function ProfilePage() {
  const me = useGetCurrentUserQuery();
  return (
    <PageLayout width="medium" footerLinks={false} back={backToDashboard}>
      <PageHeading documentTitle="Profile">Profile</PageHeading>
      {me.isLoading && (
        <p role="status" className="mt-6 flex min-h-dvh items-start gap-3 text-muted">
          <Spinner className="mt-1" />
          {messages.loading}
        </p>
      )}
      {me.isError && !me.data && (
        <div className="mt-6">
          <LoadFailure text={messages.loadFailed} busy={me.isFetching} onRetry={me.refetch} />
        </div>
      )}
      {me.data && <Profile user={me.data} />}
    </PageLayout>
  );
}

function Profile({ user }: { user: User }) {
  const { logout, busy, question } = useLogout(messages.loggedOut);
  return (
    <div className="mt-6 flex flex-col gap-6">
      <ConfirmAddress />
      <section
        aria-label="Your details"
        className="flex flex-col gap-6 rounded-lg border border-line bg-surface p-5 shadow-soft sm:flex-row sm:gap-10 sm:p-6"
      >
        <PhotoField user={user} />
        <div className="min-h-62 min-w-0 flex-1">
          <Suspense fallback={null}>
            <ProfileForm key={user.id} user={user} />
          </Suspense>
        </div>
      </section>
      <PasswordSection />
      <Suspense fallback={<div className="min-h-44 rounded-lg border border-line bg-surface" />}>
        <TwoFactorSection />
      </Suspense>
      <NotificationsSection />
      <SessionsSection />
      <StorageSection />
      <Panel title="This browser">
        <div className="flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between">
          <p className="text-muted text-sm">Sign out on this browser.</p>
          <Button variant="secondary" busy={busy} onClick={logout}>
            Logout
          </Button>
          {question}
        </div>
      </Panel>
      <DataSection />
    </div>
  );
}
