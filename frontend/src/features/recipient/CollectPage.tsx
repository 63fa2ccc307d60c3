import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function CollectPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Your details">Your details</PageHeading>
    </PageLayout>
  );
}
