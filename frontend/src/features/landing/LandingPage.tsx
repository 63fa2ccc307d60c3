import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function LandingPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="IdeaVault">IdeaVault</PageHeading>
    </PageLayout>
  );
}
