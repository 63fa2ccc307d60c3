import { backToDashboard } from "@/routing/paths";
import { LoadFailure } from "@/ui/LoadFailure";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "./PageLayout";

interface LoadFailureScreenProps {
  /** Heading and title of the page. */
  title: string;
  text: string;
  busy?: boolean;
  onRetry: () => void;
}

/** A page of an idea that could not be loaded, with a retry. */
export function LoadFailureScreen({ title, text, busy = false, onRetry }: LoadFailureScreenProps) {
  return (
    <PageLayout back={backToDashboard}>
      <PageHeading documentTitle={title} className="mb-6">
        {title}
      </PageHeading>
      <LoadFailure text={text} busy={busy} onRetry={onRetry} />
    </PageLayout>
  );
}
