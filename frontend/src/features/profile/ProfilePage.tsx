import { useSelector } from "react-redux";
import { selectCurrentUser } from "@/api/currentUserSlice";
import { useLogout } from "@/api/useLogout";
import { paths } from "@/app/paths";
import { Avatar } from "@/ui/Avatar";
import { Button } from "@/ui/Button";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

/** Spec section 2, Profile: so far who is signed in, and the way out. */
export function ProfilePage() {
  const user = useSelector(selectCurrentUser);
  const { logout, busy } = useLogout("You have been logged out successfully.");
  return (
    <PageLayout
      width="medium"
      footerLinks={false}
      back={{ to: paths.dashboard, label: "Dashboard" }}
    >
      <PageHeading documentTitle="Profile">Profile</PageHeading>
      <div className="mt-6 flex flex-col items-start gap-6 rounded-lg border border-line bg-surface p-6 shadow-soft sm:flex-row sm:items-center">
        <Avatar name={user?.name} image={user?.profileImage} className="size-20 text-3xl" />
        <dl className="min-w-0 flex-1">
          <dt className="text-muted text-sm">Name</dt>
          <dd className="font-semibold">{user?.name}</dd>
          <dt className="mt-3 text-muted text-sm">Email</dt>
          <dd className="font-semibold">{user?.email}</dd>
        </dl>
        <Button variant="secondary" busy={busy} onClick={logout}>
          Logout
        </Button>
      </div>
    </PageLayout>
  );
}
