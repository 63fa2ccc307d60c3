import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function RegisterPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Create your account">Create your account</PageHeading>
    </PageLayout>
  );
}
