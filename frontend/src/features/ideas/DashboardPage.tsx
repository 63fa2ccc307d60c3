import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function DashboardPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Idea Portfolio">Idea Portfolio</PageHeading>
    </PageLayout>
  );
}
