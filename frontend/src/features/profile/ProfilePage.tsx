import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function ProfilePage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Profile">Profile</PageHeading>
    </PageLayout>
  );
}
