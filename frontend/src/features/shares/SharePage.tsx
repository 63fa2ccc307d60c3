import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function SharePage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Share your idea">Share your idea</PageHeading>
    </PageLayout>
  );
}
