import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function LoginPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Login">Login</PageHeading>
    </PageLayout>
  );
}
