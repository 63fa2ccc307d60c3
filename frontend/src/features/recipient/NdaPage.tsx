import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function NdaPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Non-disclosure agreement">Non-disclosure agreement</PageHeading>
    </PageLayout>
  );
}
