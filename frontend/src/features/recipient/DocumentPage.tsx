import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function DocumentPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Shared document">Shared document</PageHeading>
    </PageLayout>
  );
}
