import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";

export function EditorPage() {
  return (
    <PageLayout>
      <PageHeading documentTitle="Editor">Editor</PageHeading>
    </PageLayout>
  );
}
